import type { Answer } from '../../helpers/answer.ts';
import type { RunDecl } from '../../helpers/scenario.ts';

/** The subjects of generated cases. Each must occur in at least one of twenty cases. */
export const treeSubjects = [
  '--workspace',
  '--edges',
  '--edges features',
  '--invert',
  '--duplicates',
  '--target',
  '--target all',
  '--package',
  '--prune',
  '--format',
  '--depth',
  'features asked for',
  'shows (*)',
  'shows (proc-macro)',
  'shows build-dependencies',
  'shows dev-dependencies',
  'shows features of the command line',
  'shows nothing',
  'shows several trees',
  'refuses',
] as const;
type TreeSubject = (typeof treeSubjects)[number];

/** Returns the subjects of a run, regardless of its result. */
export function subjectsOfRun({ args = [] }: RunDecl): readonly TreeSubject[] {
  const has = (...flags: readonly string[]): boolean => flags.some((flag) => args.includes(flag));
  const found: readonly (readonly [TreeSubject, boolean])[] = [
    ['--workspace', has('--workspace')],
    ['--edges', has('-e')],
    ['--edges features', args.some((arg) => arg === 'all' || /(^|,)features/.test(arg))],
    ['--invert', has('-i')],
    ['--duplicates', has('-d')],
    ['--target', has('--target')],
    ['--target all', args.some((arg, at) => arg === 'all' && args[at - 1] === '--target')],
    ['--package', has('-p')],
    ['--prune', has('--prune')],
    ['--format', has('-f')],
    ['--depth', has('--depth')],
    ['features asked for', has('-F', '--all-features', '--no-default-features')],
  ];
  return found.flatMap(([subject, isFound]) => (isFound ? [subject] : []));
}

/** Returns the subjects that a result shows. */
export function subjectsOfAnswer({ status, stdout, stderr }: Answer): readonly TreeSubject[] {
  const found: readonly (readonly [TreeSubject, boolean])[] = [
    ['shows (*)', stdout.includes('(*)')],
    ['shows (proc-macro)', stdout.includes('(proc-macro)')],
    ['shows build-dependencies', stdout.includes('[build-dependencies]')],
    ['shows dev-dependencies', stdout.includes('[dev-dependencies]')],
    ['shows features of the command line', stdout.includes('(command-line)')],
    ['shows nothing', stderr.includes('nothing to print')],
    ['shows several trees', stdout.includes('\n\n')],
    ['refuses', status !== 0],
  ];
  return found.flatMap(([subject, isFound]) => (isFound ? [subject] : []));
}
