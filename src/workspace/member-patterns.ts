/** Which folders a workspace root names. Cargo Book: Workspaces, The members and exclude fields. */
import { withContext } from '../errors/error.ts';
import type { Files } from '../files/files.ts';
import { joinPath, pathsEqual, startsWithPath } from '../files/path.ts';
import type { WorkspaceConfig } from '../manifest/manifest.ts';
import { expandGlob } from './glob.ts';

/** A folder that `members` or `default-members` names. */
export interface NamedMember {
  /** Absolute; `.` and `..` of the pattern are kept. */
  readonly path: string;
  /** The pattern that led to it; null where the path was written out. */
  readonly pattern: string | null;
}

/**
 * True if `exclude` of the root in `folder` covers `path` and no entry of `members`, taken literally,
 * does. `path` is a manifest or a folder.
 */
export function isExcluded(path: string, folder: string, config: WorkspaceConfig): boolean {
  const isBelow = (entry: string): boolean => startsWithPath(path, joinPath(folder, entry));
  return config.exclude.some(isBelow) && !(config.members ?? []).some(isBelow);
}

/** Expands patterns of the root in `folder`, in the order in which they are written. */
export function expandMembers(patterns: readonly string[], folder: string, files: Files): NamedMember[] {
  const members: NamedMember[] = [];
  for (const pattern of patterns) {
    const whole = joinPath(folder, pattern);
    const matches = withContext(
      () => `could not parse pattern \`${whole}\``,
      () => expandGlob(whole, files),
    );
    const [first, second] = matches;
    if (first === undefined) {
      // What matches nothing is taken as written, so that the missing folder is the error.
      members.push({ path: whole, pattern: null });
      continue;
    }
    const isWrittenOut = second === undefined && pathsEqual(first, whole);
    for (const path of matches) {
      if (files.kind(path) === 'directory') members.push({ path, pattern: isWrittenOut ? null : pattern });
    }
  }
  return members;
}
