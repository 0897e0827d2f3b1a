/** The folders that a workspace root names. Cargo Book: Workspaces, The members and exclude fields. */
import { withContext } from '../../core/errors/error.ts';
import type { Files } from '../../core/files/files.ts';
import { joinPath, pathsEqual, startsWithPath } from '../../core/files/path.ts';
import type { WorkspaceConfig } from '../../core/manifest/manifest.ts';
import { expandGlob } from './glob.ts';

/** A folder that `members` or `default-members` names. */
export interface NamedMember {
  /** Absolute, with `.` and `..` of the pattern. */
  readonly path: string;
  /** The pattern that matches it; null if the path is written in full. */
  readonly pattern: string | null;
}

/**
 * Returns true if `exclude` of the root in `folder` covers `path` (a manifest or a folder), and no literal entry of
 * `members` does.
 */
export function isExcluded(path: string, folder: string, config: WorkspaceConfig): boolean {
  const isBelow = (entry: string): boolean => startsWithPath(path, joinPath(folder, entry));
  return config.exclude.some(isBelow) && !(config.members ?? []).some(isBelow);
}

/** Returns the folders that patterns of the root in `folder` match, in the order of the patterns. */
export function expandMembers(patterns: readonly string[], folder: string, files: Files): NamedMember[] {
  const members: NamedMember[] = [];
  for (const pattern of patterns) {
    const absolutePattern = joinPath(folder, pattern);
    const matches = withContext(
      () => `could not parse pattern \`${absolutePattern}\``,
      () => expandGlob(absolutePattern, files),
    );
    const [first, second] = matches;
    if (first === undefined) {
      // A pattern without matches stays as written, so that the missing folder is the error.
      members.push({ path: absolutePattern, pattern: null });
      continue;
    }
    const isWrittenOut = second === undefined && pathsEqual(first, absolutePattern);
    for (const path of matches) {
      if (files.kind(path) === 'directory') members.push({ path, pattern: isWrittenOut ? null : pattern });
    }
  }
  return members;
}
