import type { CrateDecl } from '../../helpers/crate.ts';
import { pick, pickOrNull } from '../generator/pick.ts';
import type { PreciseGene, SpecGene, StepGene } from './genome.ts';

/** The names that arguments can use. */
export interface LockSurroundings {
  /** The crates published before the run. */
  readonly crates: readonly CrateDecl[];
  readonly members: readonly string[];
  readonly gitPackages: readonly string[];
  /** Folders of packages, relative to the root. */
  readonly folders: readonly string[];
  /** Names of packages in folders that patches use. */
  readonly patches: readonly string[];
}

const platforms = [
  'x86_64-unknown-linux-gnu',
  'x86_64-pc-windows-msvc',
  'wasm32-unknown-unknown',
  'host-tuple',
];

/** Returns the command line of a step. */
export function buildArguments(
  step: StepGene,
  isFirst: boolean,
  around: LockSurroundings,
): readonly string[] {
  const command = isFirst
    ? pick(['generate-lockfile', 'update', 'fetch', 'generate-lockfile', 'metadata'], step.command)
    : pick(
        ['update', 'update', 'update', 'update', 'generate-lockfile', 'fetch', 'vendor', 'update', 'vendor'],
        step.command,
      );
  if (command === 'metadata') return ['metadata', '--format-version', '1', '--no-default-features'];
  const more = flags(step, command);
  // The configuration replaces registries by those of the case.
  if (command === 'vendor') return ['vendor', '--respect-source-config', ...more, ...vendored(step, around)];
  if (command !== 'update') return [command, ...more];
  if (isFirst && step.command % 3 !== 0) return [command, ...more];
  const named = specs(step, around);
  const isRecursive = step.cwd % 3 === 0 && named.length > 0 && step.precise === null;
  const extra = [...(isRecursive ? ['--recursive'] : []), ...(step.cwd % 4 === 1 ? ['-v'] : [])];
  const isNew = (flag: string): boolean =>
    !more.includes(flag) && !(flag === '--recursive' && more.includes('--aggressive'));
  return ['update', ...named, ...more, ...extra.filter(isNew)].filter(
    (arg, _, all) => arg !== '-q' || !all.includes('-v'),
  );
}

function flags({ flags: numbers, specs: named, precise }: StepGene, command: string): readonly string[] {
  const found = new Map<string, readonly string[]>();
  for (const number of numbers) {
    const choices: (readonly string[])[] = [
      ['-v'],
      ['--offline'],
      ['--locked'],
      ['-q'],
      ['-v'],
      ['--color', 'always'],
      ...(command === 'fetch'
        ? [['--target', pick(platforms, number)], ['--target', pick(platforms, number >> 1)], ['--frozen']]
        : command === 'vendor'
          ? [['--no-delete'], ['--frozen']]
          : [['--ignore-rust-version'], ['--frozen']]),
      ...(command === 'update'
        ? [
            ['--dry-run'],
            ['-n'],
            ['--workspace'],
            ['-w'],
            ['--recursive'],
            ['--aggressive'],
            ['--recursive', '-v'],
            ['-n', '-v'],
          ]
        : []),
    ];
    const chosen = pick(choices, number);
    const [first = ''] = chosen;
    const isDirectedAtSpecs = first === '--recursive' || first === '--aggressive';
    if (isDirectedAtSpecs && (named.length === 0 || precise !== null)) continue;
    found.set(first, chosen);
  }
  // Other tests cover flags that exclude each other.
  if (found.has('-v') || found.has('-n')) found.delete('-q');
  if (found.has('-n')) found.delete('--dry-run');
  if (found.has('-w')) found.delete('--workspace');
  if (found.has('--recursive')) found.delete('--aggressive');
  return [...found.values()].flat();
}

/** Returns the target folder and other arguments of `vendor`. */
function vendored(
  { publish, specs: genes, cwd }: StepGene,
  { folders }: LockSurroundings,
): readonly string[] {
  const place = publish.length % 3 === 0 ? ['third/party'] : [];
  const folder = genes.length > 0 ? pickOrNull(folders, cwd) : null;
  const names = cwd % 3 === 0 ? ['--versioned-dirs'] : [];
  return [...place, ...names, ...(folder === null ? [] : ['-s', `$D/${folder}/Cargo.toml`])];
}

function specs({ specs: genes, precise }: StepGene, around: LockSurroundings): readonly string[] {
  const texts = genes.map((gene) => specText(gene, around));
  const [first] = genes;
  if (first === undefined) return [];
  const isFlag = first.form % 2 === 1;
  const named = isFlag ? texts.flatMap((text) => ['-p', text]) : texts;
  // cargo lists a patch in a folder as updated to the version that it has; tsreg lists only changes.
  const hasPatch = genes.some(({ name }) => around.patches.includes(choosePackage(name, around).name));
  return precise === null || hasPatch ? named : [...named, '--precise', preciseText(precise, first, around)];
}

function specText(gene: SpecGene, around: LockSurroundings): string {
  const { name, plain } = choosePackage(gene.name, around);
  const { form, version, wrong } = gene;
  if (wrong > 0) {
    return pick(
      [
        `${name}x`,
        'nope-nope',
        `${name}@`,
        `${name}@x`,
        `${name}@9.9.9`,
        '',
        `${name}:1:2`,
        '-',
        `http://127.0.0.1/#${name}`,
      ],
      wrong,
    );
  }
  const versions = around.crates.filter((crate) => crate.name === name).map((crate) => crate.version);
  const known = pickOrNull(versions, version) ?? '0.1.0';
  const registry = around.crates.find((crate) => crate.name === name)?.registry;
  const url =
    registry === undefined ? 'https://github.com/rust-lang/crates.io-index' : `sparse+$S/${registry}/`;
  const forms = [
    name,
    `${name}@${known}`,
    `${name}:${known}`,
    `${url}#${plain}`,
    `${name}@${known.split('.')[0] ?? ''}`,
    `registry+${url}#${name}@${known}`,
  ];
  return pick([plain, plain, plain, plain, plain, plain, plain, plain, plain, plain, ...forms], form >> 1);
}

/** A package, and the usual specification for it. */
interface NamedPackage {
  readonly name: string;
  readonly plain: string;
}

/** Returns a package, usually one that the workspace depends on. */
function choosePackage(number: number, { crates, gitPackages, members }: LockSurroundings): NamedPackage {
  const named = (plain: string): NamedPackage => ({ name: plain.split('@')[0] ?? '', plain });
  const gits = gitPackages.flatMap((name) => [name.replace('git-', 'sub-'), name]);
  const likely = [
    'log-it',
    'wait-for',
    'parse_it@1',
    'parse_it@2',
    ...gits.slice(0, 1),
    'log-it',
    'parse_it@1',
  ];
  const others = [...crates.map(({ name }) => name), ...gits, ...members.slice(0, 2)];
  return named(pickOrNull(number % 5 === 0 ? others : likely, Math.floor(number / 5)) ?? 'aa');
}

function preciseText({ kind, version }: PreciseGene, spec: SpecGene, around: LockSurroundings): string {
  const { name, plain } = choosePackage(spec.name, around);
  const [, major = ''] = plain.split('@');
  const all = around.crates.filter((crate) => crate.name === name && crate.version.startsWith(major));
  const yanked = all.filter((crate) => crate.yanked === true);
  const known = pickOrNull(version % 2 === 0 && yanked.length > 0 ? yanked : all, version >> 1)?.version;
  if (known === undefined) {
    const repo = name.replace(/^(?:git|sub)-/, 'repo-');
    // `v1` can be a commit of another branch, which only cargo has after the first fetch of a `file:` repository.
    const commits = ['v0', 'main'].map((ref) => `$C(${repo},${ref})`);
    return pick(['v0', 'v1', 'main', 'refs/tags/v0', ...commits, 'nope', '1.0.0'], kind);
  }
  const odd = [`v${known}`, '9.9.9', known.split('+')[0] ?? known, 'x', '1.0'];
  const right = Array.from({ length: 14 }, () => known);
  return pick([...right, ...odd], kind);
}
