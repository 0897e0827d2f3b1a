import type { LockForm } from '../../helpers/older-lock.ts';
import type { RunDecl } from '../../helpers/scenario.ts';
import type { Genome, RunGene } from './genome.ts';
import { pick, pickOrNull } from './pick.ts';
import type { Mark, Subject } from './subjects.ts';

/** The names that runs can use. */
export interface RunSurroundings {
  /** Folders of the members, relative to the root; '' is the root package. */
  readonly folders: readonly string[];
  /** The members' features as `member/feature`. */
  readonly features: readonly string[];
  /** Names of the members' dependencies in their manifests. */
  readonly dependencies: readonly string[];
}

const platforms = [
  'x86_64-unknown-linux-gnu',
  'x86_64-pc-windows-msvc',
  'aarch64-apple-darwin',
  'wasm32-unknown-unknown',
  'host-tuple',
  'i686-pc-windows-gnu',
];

const again: readonly { readonly subject: Subject; readonly args: readonly string[] }[] = [
  { subject: 'locked again', args: ['--locked'] },
  { subject: 'frozen again', args: ['--frozen'] },
  { subject: 'offline again', args: ['--offline'] },
  { subject: 'locked again', args: ['--locked', '--all-features'] },
  { subject: 'offline again', args: ['--offline', '--locked'] },
  { subject: 'frozen again', args: ['--frozen', '--filter-platform', 'x86_64-pc-windows-msvc'] },
];

/** Builds the first runs, and further runs after them. */
export function buildRuns(genome: Genome, around: RunSurroundings): { runs: RunDecl[]; marks: Mark[] } {
  const marks: Mark[] = [];
  const mark = (subject: Subject): void => void marks.push({ subject, crate: null });
  const runs = genome.runs.map((gene, at) => firstRun(gene, { at, around, mark }));
  for (const [at, number] of genome.again.entries()) {
    const { subject, args } = pick(again, number);
    runs.push({ name: `again-${at}`, args });
    mark(subject);
  }
  if (genome.relock > 0) {
    const [subject, form] = pick(lockForms, genome.relock);
    mark(subject);
    if (form === null) {
      runs.push({
        name: 'fresh-home',
        reset_home: true,
        args: pick([[], ['--locked'], []], genome.relock >> 2),
      });
    } else {
      runs.push({
        name: 'relocked',
        relock: form,
        args: pick([[], ['--locked'], ['--offline']], genome.relock),
      });
      runs.push({ name: 'relocked-again' });
    }
  }
  return { runs, marks };
}

const lockForms: readonly (readonly [Subject, LockForm | null])[] = [
  ['lock file with CRLF', 'crlf'],
  ['lock file of version 1', 'version 1'],
  ['lock file of version 2', 'version 2'],
  ['lock file of version 3', 'version 3'],
  ['fresh home with lock file', null],
];

function firstRun(
  gene: RunGene,
  options: {
    readonly at: number;
    readonly around: RunSurroundings;
    readonly mark: (subject: Subject) => void;
  },
): RunDecl {
  const { at, around, mark } = options;
  const args: string[] = [];
  for (const flag of gene.flags) {
    const feature = pickOrNull(around.features, gene.platform);
    const more = pick(
      [
        [],
        ['--all-features'],
        ['--no-default-features'],
        ['--filter-platform', pick(platforms, gene.platform)],
        feature === null ? [] : ['--features', feature],
        at > 0 || gene.platform % 4 === 0 ? ['--offline'] : [],
        at > 0 ? ['--locked'] : [],
        ['--no-deps'],
        feature === null ? [] : ['--features', feature.split('/')[1] ?? ''],
        ['--filter-platform', pick(platforms, gene.platform + 1)],
        ['odd features'],
        ['--filter-platform', pick(platforms, gene.platform), '--filter-platform', pick(platforms, flag)],
        ['-m', 'Cargo.toml'],
      ],
      flag,
    );
    const [first] = more;
    if (first === 'odd features') {
      args.push(...oddFeatures(gene, around));
      mark('odd feature flags');
    } else if (first === '--filter-platform' || !args.includes(first ?? '')) args.push(...more);
  }
  if (args.includes('-m')) mark('short flag for the manifest');
  if (args.filter((arg) => arg === '--filter-platform').length > 1) mark('several platforms');
  const folder = gene.cwd % 4 === 0 ? pickOrNull(around.folders, gene.cwd >> 2) : null;
  return {
    name: `run-${at}`,
    ...(args.length === 0 ? {} : { args }),
    ...(folder === null || folder === '' ? {} : { cwd: folder }),
  };
}

/** Returns unusual feature flags. */
function oddFeatures({ platform, cwd }: RunGene, around: RunSurroundings): string[] {
  const feature = pickOrNull(around.features, platform) ?? 'alpha/default';
  const next = pickOrNull(around.features, platform + 1) ?? 'default';
  const [member = '', plain = ''] = feature.split('/');
  // Of several unknown packages, cargo names the first one in a set that is ordered by a hash.
  const isForMembers = !around.folders.includes('') && cwd % 4 !== 0;
  const other = isForMembers ? next : next.replace(/^.*\//, '');
  const dependency = pickOrNull(around.dependencies, platform) ?? 'aa';
  return pick(
    [
      ['-F', `${feature},${other}`],
      ['--features', `${feature} ${other}`],
      [`--features=${feature}`, '-F', other],
      [`-F${feature}`],
      ['--features', ''],
      ['--features', ` ${plain} , ${other} `],
      ['-F', `${dependency}/std`],
      ['-F', `${dependency}?/std`],
      ['--features', `${member}?/${plain}`],
      ['-F', dependency],
      ['-F', `dep:${dependency}`],
      ['--features', `${feature},,${feature}`],
      ['-F', `${member}/${dependency}`],
      ['--no-default-features', '--features', `${member}/default`],
      ['-F', `${feature}/more`],
      ['-F', 'nope'],
    ],
    cwd,
  );
}
