import type { Answer } from '../../helpers/answer.ts';
import type { RunDecl } from '../../helpers/scenario.ts';

/** The subjects of generated cases. Each must occur in at least one of twenty cases. */
export const infoSubjects = [
  '--registry',
  '--offline',
  '--locked',
  '--verbose',
  'a version',
  'from a folder of a member',
  'a member',
  'a dependency',
  'a package of a registry',
  'features',
  'dependencies',
  'a newer version',
  'another spelling',
  'is not there',
] as const;
type InfoSubject = (typeof infoSubjects)[number];

/** Returns the subjects of a run, regardless of its result. */
export function subjectsOfRun({ args = [], cwd = '' }: RunDecl): readonly InfoSubject[] {
  const found: readonly (readonly [InfoSubject, boolean])[] = [
    ['--registry', args.includes('--registry')],
    ['--offline', args.includes('--offline')],
    ['--locked', args.includes('--locked')],
    ['--verbose', args.includes('-v')],
    ['a version', args[1]?.includes('@') === true],
    ['from a folder of a member', cwd !== ''],
  ];
  return found.flatMap(([subject, has]) => (has ? subject : []));
}

/** Returns the subjects that a result shows. */
export function subjectsOfAnswer({ status, stdout, stderr }: Answer): readonly InfoSubject[] {
  const isDependency = stderr.includes('to see how you depend on');
  const isMember = /\(from \.\//.test(stdout) && !isDependency;
  const found: readonly (readonly [InfoSubject, boolean])[] = [
    ['a member', isMember],
    ['a dependency', isDependency],
    ['a package of a registry', status === 0 && !isMember && !isDependency],
    ['features', stdout.includes('features:')],
    ['dependencies', stdout.includes('dependencies:')],
    ['a newer version', stdout.includes('(latest ')],
    ['another spelling', stderr.includes('translating ')],
    ['is not there', stderr.includes('could not find `')],
  ];
  return found.flatMap(([subject, has]) => (has ? subject : []));
}
