import { buildDependencies, buildFeatures, type Dependency, type Offer } from './dependencies.ts';
import type { DependencyGene, Genome, MemberGene } from './genome.ts';
import { dependencyKeys, dependencyTables, featureTable, type Source } from './manifest-text.ts';
import type { GeneratedNeighbors } from './neighbors.ts';
import { pick, pickOrNull } from './pick.ts';
import type { GitOffer } from './repos.ts';
import type { Mark } from './subjects.ts';
import { buildTargets } from './targets.ts';

/** Files of a generated workspace. */
export interface GeneratedWorkspace {
  readonly files: Readonly<Record<string, string>>;
  readonly marks: readonly Mark[];
  /** Folders of the members, relative to the root; '' is the root package. */
  readonly folders: readonly string[];
  /** The members' features as `member/feature`. */
  readonly features: readonly string[];
  /** Names of dependencies of the members. */
  readonly dependencies: readonly string[];
  /** The folder of a removed member; null if there is none. */
  readonly removed: string | null;
}

/** Packages that members can depend on besides each other. */
export interface WorkspaceSurroundings {
  readonly offers: readonly Offer[];
  readonly gitOffers: ReadonlyMap<string, GitOffer>;
  readonly neighbors: GeneratedNeighbors;
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

/** Builds the workspace of a genome. `change` is applied to its members, if given. */
export function buildWorkspace(
  genome: Genome,
  around: WorkspaceSurroundings,
  change: Genome['change'] = null,
): GeneratedWorkspace {
  const { offers } = around;
  const files: Record<string, string> = { ...around.neighbors.files };
  const marks: Mark[] = [];
  const style = pick(['virtual', 'virtual', 'root', 'alone'] as const, genome.root);
  const genes = genome.members.slice(0, memberNames.length);
  // No member depends on the first one.
  const isFirstGone = change?.remove === true && style === 'virtual' && genes.length > 1;
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
  const tableOptions = { shared, marks, isFirstGone, exclude: around.neighbors.exclude };
  const features: string[] = [];
  const dependencyNames = new Set<string>();
  // Members can depend on later ones, so the last one is built first.
  const memberOffers: Offer[] = [];
  for (let at = genes.length - 1; at >= 0; at -= 1) {
    const gene = genes[at];
    const name = memberNames[at];
    if (gene === undefined || name === undefined || (at === 0 && isFirstGone)) continue;
    const isChanged = change !== null && change.member % genes.length === at;
    const depGenes = isChanged
      ? [...(change.drop ? gene.deps.slice(1) : gene.deps), ...change.deps]
      : gene.deps;
    const entries = memberDependencies(depGenes, {
      ...around,
      memberOffers,
      shared,
      marks,
      pathTo: (other) => {
        const neighbor = around.neighbors.neighbors.find(({ offer }) => offer.name === other);
        return relative(folders[at] ?? '', neighbor?.folder ?? folders[memberNames.indexOf(other)] ?? '');
      },
    });
    const dependencies = entries.map(({ dependency }) => dependency);
    for (const { dependency, source } of entries) {
      dependencyNames.add(dependency.key);
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
      isChanged && change.bump
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
    if (at === 0 && style !== 'virtual' && genome.metadata % 4 === 1) {
      text.push('[profile.debug]\nopt-level = 1');
      marks.push({ subject: 'profile debug', crate: null });
    }
    if (at === 0 && style === 'root')
      text.push(workspaceTable(genome, { ...tableOptions, isVirtual: false }));
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
      versions: [{ version, features: Object.keys(built.features), dependencies: [] }],
      registry: null,
    });
  }
  if (style === 'virtual') files['Cargo.toml'] = workspaceTable(genome, { ...tableOptions, isVirtual: true });
  const removed = isFirstGone ? (folders[0] ?? null) : null;
  return { files, marks, folders, features, dependencies: [...dependencyNames], removed };
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

/** Returns some crates of the registry as `[workspace.dependencies]`, by name. */
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

/** Returns the keys that a member inherits: only ones that the workspace has. */
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
    readonly isFirstGone: boolean;
    readonly exclude: readonly string[];
  },
): string {
  const { shared, marks, isVirtual } = options;
  const count = Math.min(genome.members.length, memberNames.length);
  const names = memberNames.slice(isVirtual && !options.isFirstGone ? 0 : 1, count);
  const explicit = names.map((name) => `"m/${name}"`);
  const list = pick(
    [
      explicit.join(', '),
      '"m/*"',
      explicit.toReversed().join(', '),
      // A pattern without matches is an error.
      [...(names.includes('gam_ma') ? ['"m/g*"'] : []), ...explicit, '"m/*"'].join(', '),
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
  const exclude = [...options.exclude, ...(genome.list % 6 === 1 ? ['m/none', 'target'] : [])];
  if (exclude.length > 0) lines.push(`exclude = ${JSON.stringify(exclude)}`);
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

interface MemberSurroundings extends WorkspaceSurroundings {
  readonly memberOffers: readonly Offer[];
  readonly shared: ReadonlyMap<string, Shared>;
  readonly marks: Mark[];
  /** Returns the path from the member's folder to that of another member or a neighbor. */
  readonly pathTo: (name: string) => string;
}

function memberDependencies(
  genes: readonly SourcedGene[],
  around: MemberSurroundings,
): { dependency: Dependency; source: Source }[] {
  const entries: { dependency: Dependency; source: Source }[] = [];
  const used = new Map<string, string>();
  for (const gene of genes) {
    const wanted = pick(
      ['registry', 'neighbor', 'registry', 'path', 'git', 'shared', 'registry', 'registry'] as const,
      gene.source,
    );
    const neighbors = around.neighbors.neighbors.map(({ offer }) => offer);
    const where = wanted === 'neighbor' && neighbors.length === 0 ? 'registry' : wanted;
    const offers = {
      registry: around.offers,
      neighbor: neighbors,
      path: around.memberOffers,
      git: [...around.gitOffers.values()].map(({ offer }) => offer),
      shared: [...around.shared.values()].map(({ offer }) => offer),
    }[where];
    const [dependency] = buildDependencies([gene], offers).dependencies;
    if (dependency === undefined) continue;
    const name = dependency.offer.name;
    const source: Source =
      where === 'path' || where === 'neighbor'
        ? { kind: 'path', path: around.pathTo(name), withVersion: gene.form % 3 === 0 }
        : where === 'git'
          ? { kind: 'git', keys: gitKeys(around.gitOffers.get(name), gene) }
          : where === 'shared'
            ? { kind: 'workspace' }
            : { kind: 'registry', registry: dependency.offer.registry };
    const isOverriding = where === 'shared' && gene.form % 2 === 0;
    const taken =
      where === 'shared'
        ? { ...dependency, key: name, isRenamed: false, default: dependency.default && !isOverriding }
        : dependency;
    const spot = `${taken.key} ${taken.kind} ${taken.target}`;
    const origin = `${where} ${name}`;
    if (entries.some(({ dependency: one }) => `${one.key} ${one.kind} ${one.target}` === spot)) continue;
    if ((used.get(taken.key) ?? origin) !== origin) continue;
    used.set(taken.key, origin);
    const followed = where === 'git' ? around.gitOffers.get(name)?.subject : null;
    if (followed !== null && followed !== undefined) around.marks.push({ subject: followed, crate: null });
    if (where === 'git' && isOnRegistry(gene))
      around.marks.push({ subject: 'git and registry', crate: null });
    if (isOverriding) around.marks.push({ subject: 'inherited default features', crate: null });
    const neighbor = around.neighbors.neighbors.find(({ offer }) => offer.name === name);
    if (neighbor !== undefined) around.marks.push({ subject: neighbor.subject, crate: null });
    entries.push({ dependency: taken, source });
  }
  return entries;
}

/** Returns whether a git dependency also names a registry. */
function isOnRegistry(gene: SourcedGene): boolean {
  return gene.form % 2 === 0;
}

function gitKeys(offer: GitOffer | undefined, gene: SourcedGene): string {
  const keys = offer?.keys ?? '';
  return isOnRegistry(gene) ? `${keys}\nregistry-index = "sparse+https://index.example/"` : keys;
}

function relative(from: string, to: string): string {
  const up = from === '' ? '' : '../'.repeat(from.split('/').length);
  return `${up}${to}` || '.';
}
