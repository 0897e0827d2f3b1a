/**
 * The rules of `package.include` and `package.exclude`. Cargo Book: The Manifest Format, the exclude and include
 * fields.
 */
import { TsregError } from '../../core/errors/error.ts';
import { type IgnoreGlob, parseIgnoreGlob } from './ignore-glob.ts';
import { parentOf } from './parent-path.ts';

interface IgnoreRule {
  /** True for a rule with `!` at the start. */
  readonly isException: boolean;
  readonly matchesFoldersOnly: boolean;
  readonly glob: IgnoreGlob;
}

/** A list of rules; the last one that matches counts. */
export type IgnoreRules = readonly IgnoreRule[];

/** One whitespace character, as defined by Unicode. */
const SPACE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/;

/**
 * Parses lines in gitignore's form. Rules are relative to the package; empty lines and comments are skipped. Throws
 * `manifest` in cargo's words for an invalid pattern.
 */
export function parseIgnoreRules(lines: readonly string[]): IgnoreRules {
  return lines.flatMap((line) => parseLine(line) ?? []);
}

/** Returns the rule in a line; null for a comment or an empty line. */
function parseLine(line: string): IgnoreRule | null {
  if (line.startsWith('#')) return null;
  const trimmedLine = line.endsWith('\\ ') ? line : withoutTrailingSpace(line);
  if (trimmedLine === '') return null;
  let pattern = trimmedLine;
  let isException = false;
  let isRooted = false;
  if (pattern.startsWith('\\!') || pattern.startsWith('\\#')) {
    pattern = pattern.slice(1);
  } else {
    if (pattern.startsWith('!')) {
      isException = true;
      pattern = pattern.slice(1);
    }
    if (pattern.startsWith('/')) {
      isRooted = true;
      pattern = pattern.slice(1);
    }
  }
  const matchesFoldersOnly = pattern.endsWith('/');
  if (matchesFoldersOnly) pattern = pattern.slice(0, -1).replace(/\\$/, '');
  // A rule without a slash applies at every depth.
  if (!isRooted && !pattern.includes('/') && pattern !== '**') pattern = `**/${pattern}`;
  // Such a rule matches everything in the folder, but not the folder.
  if (pattern.endsWith('/**')) pattern += '/*';
  try {
    return { isException, matchesFoldersOnly, glob: parseIgnoreGlob(pattern) };
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
    throw new TsregError(`error parsing glob '${trimmedLine}': ${error.message}`, { code: error.code });
  }
}

function withoutTrailingSpace(line: string): string {
  let end = line.length;
  while (end > 0 && SPACE.test(line.charAt(end - 1))) end--;
  return line.slice(0, end);
}

/** What a path leads to: rules that end with a slash match only folders. */
export type PathKind = 'file' | 'folder';

/** The result of a list of rules for a path: that of the last rule that matches; null if none does. */
export type IgnoreVerdict = 'ignored' | 'excepted' | null;

/** Matches paths relative to the root, given as byte strings. Caches the results for folders. */
export class IgnoreMatcher {
  readonly #rules: IgnoreRules;
  readonly #folders = new Map<string, IgnoreVerdict>();

  constructor(rules: IgnoreRules) {
    this.#rules = rules;
  }

  /**
   * Returns the verdict on the path itself. If no rule matches it, returns that on the nearest folder above that a rule
   * matches, up to and including the root. null if none matches.
   */
  match(path: string, kind: PathKind): IgnoreVerdict {
    if (this.#rules.length === 0) return null;
    const verdict = matchPathItself(this.#rules, path, kind);
    if (verdict !== null || path === '') return verdict;
    return this.#matchFolder(parentOf(path));
  }

  /** Returns the verdict on a folder, from the cache if possible. */
  #matchFolder(path: string): IgnoreVerdict {
    let verdict = this.#folders.get(path);
    if (verdict === undefined) {
      verdict = this.match(path, 'folder');
      this.#folders.set(path, verdict);
    }
    return verdict;
  }
}

/** Returns the verdict on a path alone, ignoring its parent folders; null if no rule matches. */
export function matchPathItself(rules: IgnoreRules, path: string, kind: PathKind): IgnoreVerdict {
  const rule = rules.findLast(
    ({ matchesFoldersOnly, glob }) => (kind === 'folder' || !matchesFoldersOnly) && glob.test(path),
  );
  if (rule === undefined) return null;
  return rule.isException ? 'excepted' : 'ignored';
}
