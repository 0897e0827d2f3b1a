import fc from 'fast-check';
import { index } from '../generator/chances.ts';
import { pick, pickOrNull } from '../generator/pick.ts';

/** One run of `tree`, as small numbers. */
export interface AskGene {
  readonly flags: readonly number[];
  readonly name: number;
  readonly other: number;
  readonly platform: number;
}

/** Generates the genes of a run. */
export const askGenes: fc.Arbitrary<AskGene> = fc.record({
  flags: fc.array(index, { maxLength: 4 }),
  name: index,
  other: index,
  platform: index,
});

/** The names that runs can use. */
export interface TreeSurroundings {
  /** Packages of the workspace. */
  readonly members: readonly string[];
  /** All packages, with their version if they are in a registry. */
  readonly packages: readonly { readonly name: string; readonly version: string | null }[];
  /** The members' features as `member/feature`. */
  readonly features: readonly string[];
}

const PLATFORMS = [
  'x86_64-unknown-linux-gnu',
  'x86_64-pc-windows-msvc',
  'aarch64-apple-darwin',
  'wasm32-unknown-unknown',
  'host-tuple',
  'all',
  'all',
];

const EDGES = [
  'features',
  'features',
  'normal',
  'build',
  'dev',
  'normal,build',
  'no-dev',
  'no-build',
  'no-normal',
  'all',
  'no-proc-macro',
  'features,no-dev',
  'features,normal',
  'no-dev,no-proc-macro',
  'normal,features,no-proc-macro',
];

const FORMATS = ['{p} {f}', '{package}|{license}|{repository}', '{lib}:{f}', '{{{p}}}', '{p', '{x}', ''];

/** Returns the arguments of a run, without `tree`. Flags that may not be repeated occur at most once. */
export function buildArguments(gene: AskGene, around: TreeSurroundings): readonly string[] {
  const args: string[] = [];
  for (const [at, flag] of gene.flags.entries()) {
    const more = flagOf(flag, { gene, around, at });
    const [first] = more;
    if (first !== undefined && (isRepeatable(first) || !args.includes(first))) args.push(...more);
  }
  return args;
}

function isRepeatable(flag: string): boolean {
  return ['-e', '-i', '-p', '--prune', '--exclude', '--target', '-F'].includes(flag);
}

function flagOf(
  flag: number,
  { gene, around, at }: { readonly gene: AskGene; readonly around: TreeSurroundings; readonly at: number },
): readonly string[] {
  const spec = specOf(around, gene.name + at, gene.other);
  const member = pickOrNull(around.members, gene.name + at) ?? 'alpha';
  const feature = pickOrNull(around.features, gene.other + at);
  const choices: readonly (readonly string[])[] = [
    ['--workspace'],
    ['-e', pick(EDGES, gene.name + at)],
    ['-e', pick(EDGES, gene.other + at)],
    ['-i', spec],
    ['-i', member, '-e', 'features'],
    ['-i', spec, '-e', 'features'],
    ['-d'],
    ['--target', pick(PLATFORMS, gene.platform)],
    ['--target', pick(PLATFORMS, gene.platform + at)],
    ['--all-features'],
    ['--no-default-features'],
    feature === null ? [] : ['-F', gene.name % 3 === 0 ? (feature.split('/')[1] ?? '') : feature],
    ['-p', gene.name % 4 === 0 ? spec : member],
    ['-p', gene.other % 5 === 0 ? `${member.slice(0, 2)}*` : member],
    ['--exclude', gene.name % 7 === 0 ? spec : member],
    ['--depth', pick(['0', '1', '2', '3', 'workspace'], gene.other)],
    ['--prefix', pick(['none', 'depth', 'indent'], gene.other)],
    ['--prune', spec],
    ['--no-dedupe'],
    ['--charset', 'ascii'],
    ['-f', pick(FORMATS, gene.other)],
    ['--color', 'always'],
    ['--workspace'],
    ['-e', 'features'],
    ['--locked'],
    ['--offline'],
    ['-i'],
    ['--workspace'],
    ['--target', 'all'],
  ];
  return pick(choices, flag);
}

/** Returns a specification of a package, sometimes of one that does not exist. */
function specOf({ packages }: TreeSurroundings, number: number, form: number): string {
  const found = pickOrNull(packages, number);
  if (found === null || form % 23 === 0) return 'nothing';
  const { name, version } = found;
  if (version === null || form % 3 > 0) return name;
  return pick([`${name}@${version}`, `${name}:${version}`, `${name}@${version.split('.')[0] ?? '1'}`], form);
}
