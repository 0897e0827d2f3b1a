/** The subjects of generated cases. Each must occur in at least one of twenty cases. */
export const subjects = [
  'target tables',
  'weak features',
  'dep:',
  'renames',
  'links',
  'yanked',
  'pre-release',
  'build metadata',
  'patch',
  'patch by git',
  'patch by config',
  'replace',
  'path override',
  'path outside of the workspace',
  'nested workspace',
  'git',
  'git branch',
  'git tag',
  'git rev',
  'git and registry',
  'new commits',
  'alternative registry',
  'crate on another registry',
  'two majors of one crate',
  'profile debug',
  'lock file elsewhere',
  'short flag for the manifest',
  'older lock file',
  'member of another version',
  'member removed',
  'lock file with CRLF',
  'lock file of version 1',
  'lock file of version 2',
  'lock file of version 3',
  'fresh home with lock file',
  'locked again',
  'frozen again',
  'offline again',
  'several platforms',
  'odd feature flags',
  'resolver 1',
  'resolver 2',
  'resolver 3',
  'rust-version',
  'inheritance',
  'inherited default features',
  'target: lib',
  'target: proc-macro',
  'target: other crate type',
  'target: bin',
  'target: example',
  'target: test',
  'target: bench',
  'target: build script',
  'local registry',
  'sparse registry',
  'git index',
  'directory source',
] as const;
export type Subject = (typeof subjects)[number];

/** A subject of a case. With a `crate`, it only occurs if that crate gets into the lock file. */
export interface Mark {
  readonly subject: Subject;
  readonly crate: string | null;
}

/** Returns the subjects of a case, given every lock file that cargo wrote for it. */
export function occurring(marks: readonly Mark[], locks: readonly (string | null)[]): Set<Subject> {
  const found = new Set<Subject>();
  const text = locks.filter((lock) => lock !== null).join('\n');
  const locked = new Set([...text.matchAll(/^name = "(.*)"$/gm)].map((match) => match[1]));
  for (const { subject, crate } of marks) {
    if (crate === null || locked.has(crate)) found.add(subject);
  }
  for (const lock of locks) {
    const majors = new Map<string, Set<string>>();
    for (const [, name = '', version = ''] of (lock ?? '').matchAll(/^name = "(.*)"\nversion = "(.*)"$/gm)) {
      majors.set(name, (majors.get(name) ?? new Set()).add(compatible(version)));
    }
    if ([...majors.values()].some((set) => set.size > 1)) found.add('two majors of one crate');
  }
  return found;
}

/** Returns the part of a version that compatible ones have in common. */
function compatible(version: string): string {
  const [major = '', minor = '', patch = ''] = version.split(/[-+]/)[0]?.split('.') ?? [];
  return major !== '0' ? major : minor !== '0' ? `0.${minor}` : `0.0.${patch}`;
}
