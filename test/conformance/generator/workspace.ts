import type { CommitDecl } from '../../helpers/git-repo.ts';
import { buildDependencies, buildFeatures, type Dependency, type Offer } from './dependencies.ts';
import type { DependencyGene, Genome, MemberGene } from './genome.ts';
import { dependencyKeys, dependencyTables, featureTable, type Source } from './manifest-text.ts';
import { pick, pickOrNull } from './pick.ts';
import type { Mark } from './subjects.ts';
import { buildTargets } from './targets.ts';

/** Files of a generated workspace, and the repositories that it needs. */
export interface GeneratedWorkspace {
  readonly files: Record<string, string>;
  readonly git: Readonly<Record<string, readonly CommitDecl[]>>;
  readonly marks: readonly Mark[];
  /** Folders of the members, relative to the root; '' is the root package. */
  readonly folders: readonly string[];
  /** `member/feature` texts that the members have. */
  readonly features: readonly string[];
}

type SourcedGene = DependencyGene & { readonly source: number };

const memberNames = ['alpha', 'beta-lib', 'gam_ma', 'delta'];
const metadataTables = [
  '',
  'x = 1.0\ny = 1e16\nz = [0.1, -0.0, 1e-7]',
  'when = 1979-05-27T07:32:00Z\nday = 1979-05-27\ntime = 07:32:00.25',
  'big = 9223372036854775807\nneg = -9223372036854775808\nhex = 0xdead_beef',
  'b.c.d = true\nb.a = "é\\t\\u0001"\nlist = [{ z = 1, a = [] }, {}]',
];

/** Makes the workspace of a genome. `change` is applied to one member's dependencies, if given. */
export function buildWorkspace(
  genome: Genome,
  offers: readonly Offer[],
  change: Genome['change'] = null,
): GeneratedWorkspace {
  const files: Record<string, string> = {};
  const marks: Mark[] = [];
  const { git, gitOffers } = buildRepos(genome, offers);
  const style = pick(['virtual', 'virtual', 'root', 'alone'] as const, genome.root);
  const genes = genome.members.slice(0, memberNames.length);
  const place = (at: number): string =>
    at === 0 && style !== 'virtual'
      ? ''
      : style === 'alone'
        ? `ext/${memberNames[at]}`
        : `m/${memberNames[at]}`;
  const folders = genes.map((_, at) => place(at));
  const hasWorkspace = style !== 'alone';
  const edition = (gene: MemberGene): string => pick(['2021', '2018', '2015', '2024', '2021'], gene.edition);

  const shared = hasWorkspace ? sharedDependencies(genome, offers) : new Map<string, Shared>();
  const features: string[] = [];
  // From the last to the first: a member may depend on those behind it.
  const memberOffers: Offer[] = [];
  for (let at = genes.length - 1; at >= 0; at -= 1) {
    const gene = genes[at];
    const name = memberNames[at];
    if (gene === undefined || name === undefined) continue;
    const isChanged = change !== null && change.member % genes.length === at;
    const depGenes = isChanged
      ? [...(change.drop ? gene.deps.slice(1) : gene.deps), ...change.deps]
      : gene.deps;
    const entries = memberDependencies(depGenes, {
      offers,
      memberOffers,
      gitOffers,
      genome,
      shared,
      pathTo: (other) => relative(folders[at] ?? '', folders[memberNames.indexOf(other)] ?? ''),
    });
    const dependencies = entries.map(({ dependency }) => dependency);
    for (const { dependency, source } of entries) {
      if (dependency.isRenamed) marks.push({ subject: 'renames', crate: null });
      if (dependency.target !== null) marks.push({ subject: 'target tables', crate: null });
      if (source.kind === 'workspace') marks.push({ subject: 'inheritance', crate: null });
      if (source.kind === 'git') marks.push({ subject: 'git', crate: null });
    }
    const built = buildFeatures(gene.features, dependencies);
    marks.push(...built.marks);
    const targets = buildTargets(gene.targets);
    marks.push(...targets.marks);
    const version =
      isChanged && change.rename
        ? '7.7.7'
        : pick(['0.1.0', '1.0.0-alpha.1', '2.3.4+meta', '0.0.0'], gene.version);
    const inherited = hasWorkspace ? inheritedKeys(gene) : [];
    if (inherited.length > 0) marks.push({ subject: 'inheritance', crate: null });
    if (gene.rust > 0) marks.push({ subject: 'rust-version', crate: null });
    const lines = ['[package]', `name = "${name}"`];
    if (!inherited.includes('version')) lines.push(`version = "${version}"`);
    if (!inherited.includes('edition')) lines.push(`edition = "${edition(gene)}"`);
    if (gene.rust > 0 && !inherited.includes('rust-version')) {
      lines.push(`rust-version = "${pick(['1.85', '1.85.0', '1.90', '1.99'], gene.rust)}"`);
    }
    for (const key of inherited) lines.push(`${key}.workspace = true`);
    lines.push(...targets.packageLines, ...pick(extraLines, gene.extra));
    const text = [lines.join('\n')];
    if (metadataTables[gene.extra % 7] !== undefined)
      text.push(`[package.metadata]\n${metadataTables[gene.extra % 7]}`);
    if (at === 0 && style === 'root') text.push(workspaceTable(genome, { shared, marks, isVirtual: false }));
    if (at === 0 && style === 'alone') {
      const resolver = pickOrNull(['1', '2', '3'], genome.resolver);
      lines.push(`resolver = "${resolver}"`);
      marks.push({ subject: `resolver ${resolver ?? '1'}` as 'resolver 1', crate: null });
      text[0] = lines.join('\n');
    }
    text.push(dependencyTables(entries), featureTable(built.features), ...targets.tables);
    const folder = folders[at] ?? '';
    const inFolder = (file: string): string => (folder === '' ? file : `${folder}/${file}`);
    files[inFolder('Cargo.toml')] = `${text.filter((part) => part !== '').join('\n')}\n`;
    for (const [file, content] of Object.entries(targets.files)) files[inFolder(file)] = content;
    if (gene.extra % 4 === 1) files[inFolder('README.md')] = '';
    features.push(...Object.keys(built.features).map((feature) => `${name}/${feature}`));
    memberOffers.unshift({
      name,
      versions: [{ version, features: Object.keys(built.features) }],
      registry: null,
    });
  }
  if (style === 'virtual') files['Cargo.toml'] = workspaceTable(genome, { shared, marks, isVirtual: true });
  return { files, git, marks, folders, features };
}

interface Shared {
  readonly offer: Offer;
  readonly lines: readonly string[];
}

const extraLines: readonly (readonly string[])[] = [
  [],
  ['description = "d"', 'license = "MIT"', 'keywords = ["a", "b"]'],
  ['publish = false', 'readme = "R.md"'],
  ['authors = ["A <a@b.example>"]', 'categories = ["x"]', 'homepage = "h"', 'publish = ["alt"]'],
  ['license-file = "LICENSE"', 'documentation = ""', 'repository = "r"'],
  ['exclude = ["x"]', 'readme = false'],
];

/** Some crates of the registry as `[workspace.dependencies]`, by name. */
function sharedDependencies(genome: Genome, offers: readonly Offer[]): Map<string, Shared> {
  const shared = new Map<string, Shared>();
  genome.inherit.forEach((number) => {
    const offer = pickOrNull(offers, number);
    if (offer === null || number % 3 === 2) return;
    const lines = dependencyKeys(
      {
        key: offer.name,
        offer,
        isRenamed: false,
        req: number % 2 === 0 ? '*' : `>=${offer.versions[0]?.version.split('+')[0] ?? '0.0.0'}`,
        kind: 'normal',
        optional: false,
        default: number % 5 !== 0,
        features: (offer.versions.at(-1)?.features ?? [])
          .filter((name) => name !== 'default')
          .slice(0, number % 2),
        target: null,
      },
      { kind: 'registry', registry: offer.registry },
    );
    shared.set(offer.name, { offer, lines });
  });
  return shared;
}

const inheritable = [
  'version',
  'edition',
  'rust-version',
  'license',
  'readme',
  'license-file',
  'publish',
  'authors',
  'description',
  'keywords',
];

/** The keys that a member takes over: only ones that the workspace has. */
function inheritedKeys(gene: MemberGene): string[] {
  const extra = pick(extraLines, gene.extra).map((line) => line.split(' = ')[0]);
  const keys = gene.inherit.map((number) => pick(inheritable, number)).filter((key) => !extra.includes(key));
  return [...new Set(keys)];
}

function workspaceTable(
  genome: Genome,
  options: {
    readonly shared: ReadonlyMap<string, Shared>;
    readonly marks: Mark[];
    readonly isVirtual: boolean;
  },
): string {
  const { shared, marks, isVirtual } = options;
  const count = Math.min(genome.members.length, memberNames.length);
  const names = memberNames.slice(isVirtual ? 0 : 1, count);
  const explicit = names.map((name) => `"m/${name}"`);
  const list = pick(
    [
      explicit.join(', '),
      '"m/*"',
      explicit.toReversed().join(', '),
      ['"m/g*"', ...explicit, '"m/*"'].join(', '),
      ['"./m/../m/*"'].join(', '),
    ],
    genome.list,
  );
  const lines = ['[workspace]', ...(names.length === 0 ? [] : [`members = [${list}]`])];
  const resolver = pick(['1', '2', '3', '2', '3', null], genome.resolver);
  if (resolver !== null) {
    lines.push(`resolver = "${resolver}"`);
    marks.push({ subject: `resolver ${resolver}` as 'resolver 1', crate: null });
  }
  if (genome.list % 7 === 3 && isVirtual) lines.push(`default-members = ["m/${names[0]}"]`);
  if (genome.list % 6 === 1) lines.push('exclude = ["m/none", "target"]');
  const metadata = metadataTables[genome.metadata % 9];
  if (metadata !== undefined && metadata !== '') lines.push('[workspace.metadata]', metadata);
  lines.push(
    '[workspace.package]',
    'version = "3.2.1"',
    'edition = "2021"',
    'rust-version = "1.85"',
    'license = "MIT"',
    'readme = "docs/R.md"',
    'license-file = "LICENSE-W"',
    'publish = ["alt"]',
    'authors = ["W"]',
    'description = "of the workspace"',
    'keywords = ["k"]',
  );
  for (const [name, { lines: keys }] of shared) lines.push(`[workspace.dependencies.${name}]`, ...keys);
  return `${lines.join('\n')}\n`;
}

interface Surroundings {
  readonly offers: readonly Offer[];
  readonly memberOffers: readonly Offer[];
  readonly gitOffers: ReadonlyMap<string, { readonly offer: Offer; readonly keys: string }>;
  readonly genome: Genome;
  readonly shared: ReadonlyMap<string, Shared>;
  readonly pathTo: (member: string) => string;
}

function memberDependencies(
  genes: readonly SourcedGene[],
  around: Surroundings,
): { dependency: Dependency; source: Source }[] {
  const entries: { dependency: Dependency; source: Source }[] = [];
  const used = new Map<string, string>();
  for (const gene of genes) {
    const where = pick(
      ['registry', 'registry', 'registry', 'path', 'git', 'shared', 'registry'] as const,
      gene.source,
    );
    const offers =
      where === 'path'
        ? around.memberOffers
        : where === 'git'
          ? [...around.gitOffers.values()].map(({ offer }) => offer)
          : where === 'shared'
            ? [...around.shared.values()].map(({ offer }) => offer)
            : around.offers;
    const [dependency] = buildDependencies([gene], offers).dependencies;
    if (dependency === undefined) continue;
    const name = dependency.offer.name;
    const source: Source =
      where === 'path'
        ? { kind: 'path', path: around.pathTo(name), withVersion: gene.form % 3 === 0 }
        : where === 'git'
          ? { kind: 'git', keys: around.gitOffers.get(name)?.keys ?? '' }
          : where === 'shared'
            ? { kind: 'workspace' }
            : { kind: 'registry', registry: dependency.offer.registry };
    const taken = where === 'shared' ? { ...dependency, key: name, isRenamed: false } : dependency;
    const spot = `${taken.key} ${taken.kind} ${taken.target}`;
    const origin = `${where} ${name}`;
    if (entries.some(({ dependency: one }) => `${one.key} ${one.kind} ${one.target}` === spot)) continue;
    if ((used.get(taken.key) ?? origin) !== origin) continue;
    used.set(taken.key, origin);
    entries.push({ dependency: taken, source });
  }
  return entries;
}

function buildRepos(
  genome: Genome,
  offers: readonly Offer[],
): {
  git: Record<string, CommitDecl[]>;
  gitOffers: Map<string, { offer: Offer; keys: string }>;
} {
  const git: Record<string, CommitDecl[]> = {};
  const gitOffers = new Map<string, { offer: Offer; keys: string }>();
  genome.repos.forEach((repo, at) => {
    const name = `repo-${at}`;
    const main = `git-${at}`;
    const commits = repo.commits.map((commit, index): CommitDecl => {
      const { dependencies } = buildDependencies(
        commit.deps,
        offers.filter((offer) => offer.registry === null),
      );
      const normal = dependencies.filter((one) => one.kind !== 'dev' && !one.optional);
      const tables = dependencyTables(
        normal.map((dependency) => ({ dependency, source: { kind: 'registry', registry: null } })),
      );
      const version = `0.${commit.version % 5}.${index}`;
      return {
        files: {
          'Cargo.toml': `[package]\nname = "${main}"\nversion = "${version}"\nedition = "2021"\n[workspace]\nmembers = ["sub"]\n[dependencies.sub-${at}]\npath = "sub"\n${tables}\n[features]\nextra = []\n`,
          'src/lib.rs': '',
          'sub/Cargo.toml': `[package]\nname = "sub-${at}"\nversion = "0.0.${index}"\n`,
          'sub/src/lib.rs': '',
        },
        tag: `v${index}`,
        ...(index > 0 && commit.version % 4 === 0 ? { branch: 'next/one+x' } : {}),
      };
    });
    git[name] = commits;
    const last = commits.length - 1;
    const branches = ['main', ...commits.flatMap((commit) => commit.branch ?? [])];
    const url = `git = "file://$G/${name}"`;
    const keys = pick(
      [
        url,
        `${url}\nbranch = "${pick(branches, repo.reference)}"`,
        `${url}\ntag = "v${last}"`,
        `${url}\nrev = "refs/tags/v0"`,
        `git = "file://$G/${name}/"`,
      ],
      repo.reference,
    );
    const offered = repo.reference % 3 === 0 ? `sub-${at}` : main;
    const features = offered === main ? ['extra'] : [];
    gitOffers.set(offered, {
      offer: { name: offered, versions: [{ version: '0.0.0', features }], registry: null },
      keys,
    });
  });
  return { git, gitOffers };
}

function relative(from: string, to: string): string {
  const up = from === '' ? '' : '../'.repeat(from.split('/').length);
  return `${up}${to}` || '.';
}
