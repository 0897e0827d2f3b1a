import type { Answer } from '../../helpers/answer.ts';
import type { RunDecl, Scenario } from '../../helpers/scenario.ts';
import type { Tree, TreeEntry } from '../../helpers/tree.ts';
import type { Generator } from '../generated.ts';
import { pick } from '../generator/pick.ts';
import { dependencyCrates, type Sibling, sharedDependencies } from './dependencies.ts';
import { type MemberGene, type PackageGenome, packageGenomes } from './genome.ts';
import { buildMember, versionOf } from './member.ts';
import { buildRepository, repositories } from './repository.ts';
import { buildPackageRuns, subjectsOfRuns } from './runs.ts';
import { type PackageSubject, packageSubjects } from './subjects.ts';

/** Trees of packages, for `package`. */
export const generatedPackages: Generator<PackageGenome> = {
  kind: 'package-generated',
  genomes: packageGenomes,
  build: (genome) => buildPackageCase(genome).scenario,
  subjects: packageSubjects,
  occurring: (genome, answers) => {
    const { scenario, marks } = buildPackageCase(genome);
    return new Set([...marks, ...subjectsOfRuns(scenario.runs), ...outcomes(answers)]);
  },
  counts: { quick: 40, long: 400, least: 300 },
};

const memberNames = ['alpha', 'Beta-Lib', 'gam_ma'];
/** The version in `[workspace.package]`. */
const workspaceVersion = '3.2.1';

/** Builds the scenario of a genome. It depends only on the genome. */
function buildPackageCase(genome: PackageGenome): {
  readonly scenario: Scenario;
  readonly marks: readonly PackageSubject[];
} {
  const marks: PackageSubject[] = [];
  const layout = pick(['alone', 'virtual', 'root', 'alone', 'virtual'] as const, genome.layout);
  const hasWorkspace = layout !== 'alone';
  if (layout === 'virtual') marks.push('virtual workspace');
  if (layout === 'root') marks.push('workspace with a root package');
  const base = genome.deeper === 0 ? '' : 'area/';
  const outside = genome.deeper === 0 ? '../beside' : 'around';
  const genes = layout === 'alone' ? genome.members.slice(0, 1) : genome.members;
  const folders = genes.map((_, at) =>
    at === 0 && layout !== 'virtual' ? base : `${base}m/${memberNames[at]}/`,
  );
  // Returns the way from a folder of the tree to its root.
  const up = (folder: string): string => '../'.repeat(folder.split('/').length - 1);
  const registry = pick(['alt', 'alt', null, 'alt', null, null], genome.publish);
  const publish =
    registry === null
      ? pick([null, 'publish = false', null, null], genome.publish)
      : `publish = ["${registry}"]`;

  const files: Record<string, TreeEntry> = {};
  const siblings: Sibling[] = [];
  let rootManifest = '';
  for (let at = genes.length - 1; at >= 0; at -= 1) {
    const gene = genes[at];
    const folder = folders[at] ?? '';
    const name = memberNames[at] ?? '';
    if (gene === undefined) continue;
    const member = buildMember(gene, {
      name,
      publish,
      hasWorkspace,
      siblings: siblings.map((one) => ({ ...one, path: `${up(folder)}${one.path}` })),
    });
    marks.push(...member.marks);
    const around = { U: `${up(folder)}${outside}` };
    for (const [file, entry] of Object.entries(member.files))
      files[`${folder}${file}`] = filled(entry, around);
    const manifest = filledText(member.manifest, around);
    if (folder === base) rootManifest = manifest;
    else files[`${folder}Cargo.toml`] = manifest;
    siblings.unshift({ name, version: effectiveVersion(gene, hasWorkspace), path: folder, registry });
  }
  if (hasWorkspace) {
    const table = workspaceTable(genome, { count: genes.length, isVirtual: layout === 'virtual' });
    rootManifest = `${rootManifest}${filledText(table, { W: `${up(base)}${outside}` })}`;
    files[`${base}docs/WR.md`] ??= 'of the workspace\n';
    files[`${base}LICENSE-W`] ??= 'W';
  }
  files[`${base}Cargo.toml`] = rootManifest;
  if (genome.lock > 0) marks.push('lock file');
  if (genome.lock > 0 && genome.lock % 3 === 0) files[`${base}Cargo.lock`] = olderLock;

  const inside = { ...files };
  Object.assign(files, under(outside, outsideFiles));
  const repository = buildRepository(genome.repository, { files: inside, folder: folders[0] ?? '', base });
  marks.push(...repository.marks);
  const runs = buildPackageRuns(genome, {
    base,
    folders,
    names: memberNames.slice(0, genes.length),
    isWorkspace: hasWorkspace,
  });
  return {
    scenario: {
      about: 'A generated tree on which the answers once differed.',
      command: 'package',
      files: { ...files, ...repository.files },
      git_commands: repository.commands,
      registries: { 'crates-io': { kind: 'local' }, alt: { kind: 'sparse' } },
      crates: dependencyCrates,
      git: repositories,
      runs: runs.map((run, at) => (at === 0 ? withChange(run, repository.change) : run)),
    },
    marks,
  };
}

function withChange(run: RunDecl, change: Pick<RunDecl, 'write' | 'remove' | 'git_commands'>): RunDecl {
  const { name, ...rest } = run;
  const { write = {}, remove = [], git_commands = [] } = change;
  return {
    name,
    ...(remove.length === 0 ? {} : { remove }),
    ...(Object.keys(write).length === 0 ? {} : { write }),
    ...(git_commands.length === 0 ? {} : { git_commands }),
    ...rest,
  };
}

/** A lock file of an older release, with a comment and an unused package. */
const olderLock = `# a comment
version = 3

[[package]]
name = "aa"
version = "1.0.0"
source = "registry+https://github.com/rust-lang/crates.io-index"

[[package]]
name = "unused"
version = "0.1.0"
source = "registry+https://github.com/rust-lang/crates.io-index"
`;

/** Files outside of the packages. */
const outsideFiles: Tree = {
  'R.md': 'outside\n',
  'L.txt': 'license\n',
  'out.txt': 'out',
  'pp/Cargo.toml': '[package]\nname = "pp"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\naa = "1"\n',
  'pp/src/lib.rs': '',
};

function under(folder: string, tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).map(([name, entry]) => [`${folder}/${name}`, entry]));
}

function workspaceTable(
  genome: PackageGenome,
  { count, isVirtual }: { readonly count: number; readonly isVirtual: boolean },
): string {
  const names = memberNames.slice(isVirtual ? 0 : 1, count).map((name) => `"m/${name}"`);
  const resolver = pick([null, '1', '2', '3', null], genome.resolver);
  const lines = [
    '',
    '[workspace]',
    `members = [${names.join(', ')}]`,
    ...(resolver === null ? [] : [`resolver = "${resolver}"`]),
    ...(genome.resolver % 7 === 6 && isVirtual ? ['default-members = ["m/alpha"]'] : []),
    '[workspace.package]',
    `version = "${workspaceVersion}"`,
    'edition = "2021"',
    'rust-version = "1.85"',
    'license = "MIT"',
    'readme = "docs/WR.md"',
    'license-file = "LICENSE-W"',
    'authors = ["W"]',
    'description = "of the workspace"',
    'keywords = ["k"]',
    'categories = []',
    'include = ["src/**", "*.md"]',
    'exclude = ["*.txt"]',
    'homepage = "wh"',
    'repository = "wr"',
    'documentation = "wd"',
    '[workspace.dependencies]',
    sharedDependencies,
  ];
  return `${lines.join('\n')}\n`;
}

function effectiveVersion(gene: MemberGene, hasWorkspace: boolean): string {
  const isInherited =
    hasWorkspace && buildMember(gene, bare).manifest.includes('\nversion.workspace = true\n');
  return isInherited ? workspaceVersion : versionOf(gene);
}

const bare = { name: 'x', publish: null, hasWorkspace: true, siblings: [] };

function filled(entry: TreeEntry, values: Readonly<Record<string, string>>): TreeEntry {
  if (typeof entry === 'string') return filledText(entry, values);
  if ('link' in entry) return { link: filledText(entry.link, values) };
  return entry;
}

function filledText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$([UW])\b/g, (whole, letter: string) => values[letter] ?? whole);
}

function outcomes(answers: readonly Answer[]): PackageSubject[] {
  const found: PackageSubject[] = [];
  for (const { status, packaged } of answers) {
    if (status !== 0) found.push('refused');
    const archives = packaged.filter((file) => /(?:target|far)\/package\/[^/]+\.crate$/.test(file.path));
    if (status === 0 && archives.length > 0) found.push('archive made');
    if (status === 0 && archives.length > 1) found.push('several archives made');
  }
  return found;
}
