import type { Answer } from '../../helpers/answer.ts';
import type { RunDecl } from '../../helpers/scenario.ts';

/** The subjects of generated cases. Each must occur in at least one of twenty cases. */
export const lockSubjects = [
  'generate-lockfile',
  'fetch',
  'vendor',
  'vendor several',
  'vendor with versions',
  'update of everything',
  'update by name',
  '--precise',
  '--recursive',
  '--workspace',
  '--dry-run',
  '--offline',
  '--locked',
  '--verbose',
  '--target',
  '--ignore-rust-version',
  'new versions',
  'yanked meanwhile',
  'new commits',
  'manifests changed',
  'fresh home',
  'minimum age',
  'says Updating',
  'says Adding',
  'says Removing',
  'says Downgrading',
  'says Unchanged',
  'says what is available',
  'says which Rust is required',
  'says when it was published',
  'counts what is behind',
  'chose a yanked version',
  'moved a repository',
  'set a version',
  'refused a specification',
  'refused a version',
  'refused to change the lock file',
  'found no versions',
  'downloaded',
  'vendored',
  'vendored a repository',
] as const;
export type LockSubject = (typeof lockSubjects)[number];

/** Returns the subjects of a run, regardless of its result. */
export function subjectsOfRun({
  args = [],
  publish = [],
  commit,
  write,
  reset_home,
  env = {},
}: RunDecl): LockSubject[] {
  const [command] = args;
  const has = (...flags: readonly string[]): boolean => flags.some((flag) => args.includes(flag));
  const named = command === 'update' && args.slice(1).some((arg) => arg === '-p' || !arg.startsWith('-'));
  const found: readonly (readonly [LockSubject, boolean])[] = [
    ['generate-lockfile', command === 'generate-lockfile'],
    ['fetch', command === 'fetch'],
    ['vendor', command === 'vendor'],
    ['vendor several', command === 'vendor' && has('-s')],
    ['vendor with versions', command === 'vendor' && has('--versioned-dirs')],
    ['update by name', named],
    ['update of everything', command === 'update' && !named && !has('-w', '--workspace')],
    ['--precise', has('--precise')],
    ['--recursive', has('--recursive', '--aggressive')],
    ['--workspace', has('--workspace', '-w')],
    ['--dry-run', has('--dry-run', '-n')],
    ['--offline', has('--offline', '--frozen')],
    ['--locked', has('--locked', '--frozen')],
    ['--verbose', has('-v')],
    ['--target', has('--target')],
    ['--ignore-rust-version', has('--ignore-rust-version')],
    ['new versions', publish.some(({ yanked }) => yanked === undefined)],
    ['yanked meanwhile', publish.some(({ yanked }) => yanked === true)],
    ['new commits', commit !== undefined],
    ['manifests changed', write !== undefined],
    ['fresh home', reset_home === true],
    ['minimum age', 'CARGO_REGISTRY_GLOBAL_MIN_PUBLISH_AGE' in env],
  ];
  return found.flatMap(([subject, occurs]) => (occurs ? [subject] : []));
}

/** Returns the subjects that cargo's result of a run shows. `before` is its previous result; null for the first run. */
export function outcomes({ stderr, status, lock }: Answer, before: Answer | null): LockSubject[] {
  const says = (pattern: RegExp): boolean => pattern.test(stderr);
  const found: readonly (readonly [LockSubject, boolean])[] = [
    ['says Updating', says(/^ *Updating \S+ v\S+ .*-> v/m)],
    ['says Adding', says(/^ *Adding /m)],
    ['says Removing', says(/^ *Removing /m)],
    ['says Downgrading', says(/^ *Downgrading /m)],
    ['says Unchanged', says(/^ *Unchanged /m)],
    ['says what is available', says(/\(available: v/)],
    ['says which Rust is required', says(/requires Rust /)],
    ['says when it was published', says(/published \d+ \w+ ago/)],
    ['counts what is behind', says(/^note: pass `--verbose`/m)],
    ['chose a yanked version', says(/was yanked by the author/)],
    ['moved a repository', says(/-> #[0-9a-f]{8}/)],
    ['set a version', status === 0 && lock !== before?.lock && says(/-> v/) && !says(/^ *Locking /m)],
    ['refused a specification', says(/package ID specification/)],
    ['refused a version', says(/precise version|is not a valid SemVer version/)],
    ['refused to change the lock file', says(/cannot (?:create|update) the lock file/)],
    ['found no versions', says(/failed to select a version|no matching package/)],
    ['downloaded', says(/^ *Downloaded /m)],
    ['vendored', status === 0 && says(/^ *Vendoring /m)],
    ['vendored a repository', status === 0 && says(/^ *Vendoring .*\/git\/checkouts\//m)],
  ];
  return found.flatMap(([subject, occurs]) => (occurs ? [subject] : []));
}
