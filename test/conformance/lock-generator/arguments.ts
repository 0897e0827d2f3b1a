import type { CrateDecl } from '../../helpers/crate.ts';
import { pick, pickOrNull } from '../generator/pick.ts';
import type { PreciseGene, SpecGene, StepGene } from './genome.ts';

/** What arguments can name. */
export interface LockSurroundings {
  /** Those published by then. */
  readonly crates: readonly CrateDecl[];
  readonly members: readonly string[];
  readonly gitPackages: readonly string[];
  /** Folders of packages, relative to the root. */
  readonly folders: readonly string[];
}

const platforms = [
  'x86_64-unknown-linux-gnu',
  'x86_64-pc-windows-msvc',
  'wasm32-unknown-unknown',
  'host-tuple',
];

/** The command line of a step. */
export function buildArguments(
  step: StepGene,
  isFirst: boolean,
  around: LockSurroundings,
): readonly string[] {
  const command = isFirst
    ? pick(['generate-lockfile', 'update', 'fetch', 'generate-lockfile', 'metadata'], step.command)
    : pick(['update', 'update', 'update', 'update', 'generate-lockfile', 'fetch', 'update'], step.command);
  if (command === 'metadata') return ['metadata', '--format-version', '1', '--no-default-features'];
  const more = flags(step, command);
  if (command !== 'update') return [command, ...more];
  if (isFirst && step.command % 3 !== 0) return [command, ...more];
  return ['update', ...specs(step, around), ...more];
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
        : [['--ignore-rust-version'], ['--frozen']]),
      ...(command === 'update'
        ? [['--dry-run'], ['-n'], ['--workspace'], ['-w'], ['--recursive'], ['--aggressive'], ['-n', '-v']]
        : []),
    ];
    const chosen = pick(choices, number);
    const [first = ''] = chosen;
    const isDirectedAtSpecs = first === '--recursive' || first === '--aggressive';
    if (isDirectedAtSpecs && (named.length === 0 || precise !== null)) continue;
    found.set(first, chosen);
  }
  // Flags that exclude each other are for other tests.
  if (found.has('-v') || found.has('-n')) found.delete('-q');
  if (found.has('-n')) found.delete('--dry-run');
  if (found.has('-w')) found.delete('--workspace');
  if (found.has('--recursive')) found.delete('--aggressive');
  return [...found.values()].flat();
}

function specs({ specs: genes, precise }: StepGene, around: LockSurroundings): readonly string[] {
  const texts = genes.map((gene) => specText(gene, around));
  const [first] = genes;
  if (first === undefined) return [];
  const isFlag = first.form % 2 === 1;
  const named = isFlag ? texts.flatMap((text) => ['-p', text]) : texts;
  return precise === null ? named : [...named, '--precise', preciseText(precise, first, around)];
}

function specText({ name: number, form, version, wrong }: SpecGene, around: LockSurroundings): string {
  const name = chooseName(number, around);
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
  return pick(
    [
      name,
      name,
      name,
      `${name}@${known}`,
      name,
      `${name}:${known}`,
      `${url}#${name}`,
      `${name}@${known.split('.')[0] ?? ''}`,
      `registry+${url}#${name}@${known}`,
      name,
    ],
    form >> 1,
  );
}

/** The name of a package, mostly one that the workspace depends on. */
function chooseName(number: number, { crates, gitPackages, members }: LockSurroundings): string {
  const gits = gitPackages.flatMap((name) => [name.replace('git-', 'sub-'), name]);
  const likely = [...new Set(crates.slice(0, 6).map(({ name }) => name)), ...gits.slice(0, 1)];
  const others = [...crates.map(({ name }) => name), ...gits, ...members.slice(0, 2)];
  return pickOrNull(number % 4 === 0 ? others : likely, Math.floor(number / 4)) ?? 'aa';
}

function preciseText({ kind, version }: PreciseGene, spec: SpecGene, around: LockSurroundings): string {
  const name = chooseName(spec.name, around);
  const versions = around.crates.filter((crate) => crate.name === name).map((crate) => crate.version);
  const known = pickOrNull(versions, version);
  if (known === null) {
    const repo = name.replace(/^(?:git|sub)-/, 'repo-');
    const commits = ['v0', 'v1', 'main'].map((ref) => `$C(${repo},${ref})`);
    return pick(['v0', 'v1', 'main', 'refs/tags/v0', ...commits, 'nope', '1.0.0'], kind);
  }
  return pick(
    [known, known, known, known, `v${known}`, '9.9.9', known.split('+')[0] ?? known, 'x', '1.0'],
    kind,
  );
}
