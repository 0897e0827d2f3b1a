/** Rules of `package.include` and `package.exclude`. Cargo Book: The Manifest Format, the exclude and include fields. */
import { TsregError } from '../errors/error.ts';
import { type IgnoreGlob, parseIgnoreGlob } from './ignore-glob.ts';

/** One rule, ready to be matched. */
interface IgnoreRule {
  /** True for a rule with `!` in front. */
  readonly isException: boolean;
  readonly matchesFoldersOnly: boolean;
  readonly glob: IgnoreGlob;
}

/** A list of rules, of which the last one that matches counts. */
export type IgnoreRules = readonly IgnoreRule[];

/** One character of space, as Unicode has it. */
const SPACE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/;

/**
 * The rules of a list of lines, each in gitignore's form: rooted at the package, empty lines and comments left out.
 * Throws for a pattern that is none, in cargo's words.
 */
export function parseIgnoreRules(lines: readonly string[]): IgnoreRules {
  return lines.flatMap((line) => parseLine(line) ?? []);
}

function parseLine(line: string): IgnoreRule | null {
  if (line.startsWith('#')) return null;
  const written = line.endsWith('\\ ') ? line : withoutTrailingSpace(line);
  if (written === '') return null;
  let rest = written;
  let isException = false;
  let isRooted = false;
  if (rest.startsWith('\\!') || rest.startsWith('\\#')) {
    rest = rest.slice(1);
  } else {
    if (rest.startsWith('!')) {
      isException = true;
      rest = rest.slice(1);
    }
    if (rest.startsWith('/')) {
      isRooted = true;
      rest = rest.slice(1);
    }
  }
  const matchesFoldersOnly = rest.endsWith('/');
  if (matchesFoldersOnly) rest = rest.slice(0, -1).replace(/\\$/, '');
  // Without a slash a rule holds at every depth.
  if (!isRooted && !rest.includes('/') && rest !== '**') rest = `**/${rest}`;
  // What is in a folder, and not the folder.
  if (rest.endsWith('/**')) rest += '/*';
  try {
    return { isException, matchesFoldersOnly, glob: parseIgnoreGlob(rest) };
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
    throw new TsregError(`error parsing glob '${written}': ${error.message}`, { code: error.code });
  }
}

function withoutTrailingSpace(line: string): string {
  let end = line.length;
  while (end > 0 && SPACE.test(line.charAt(end - 1))) end--;
  return line.slice(0, end);
}

/** What a list of rules says of a path. */
export type IgnoreVerdict = 'ignored' | 'excepted' | null;

/** Matches paths below the root, given as byte strings; of folders it keeps what it found. */
export class IgnoreMatcher {
  readonly #rules: IgnoreRules;
  readonly #folders = new Map<string, IgnoreVerdict>();

  constructor(rules: IgnoreRules) {
    this.#rules = rules;
  }

  /**
   * What the rules say of the path itself or, only if none matches it, of the nearest folder above it that one matches;
   * of these the root is the last. null if none matches.
   */
  match(path: string, isFolder: boolean): IgnoreVerdict {
    if (this.#rules.length === 0) return null;
    const verdict = matchPathItself(this.#rules, path, isFolder);
    if (verdict !== null || path === '') return verdict;
    return this.#matchFolder(path.slice(0, Math.max(path.lastIndexOf('/'), 0)));
  }

  #matchFolder(path: string): IgnoreVerdict {
    let verdict = this.#folders.get(path);
    if (verdict === undefined) {
      verdict = this.match(path, true);
      this.#folders.set(path, verdict);
    }
    return verdict;
  }
}

/** What the rules say of a path alone, whatever folders it is in. */
export function matchPathItself(rules: IgnoreRules, path: string, isFolder: boolean): IgnoreVerdict {
  for (let i = rules.length - 1; i >= 0; i--) {
    const rule = rules[i];
    if (rule === undefined || (rule.matchesFoldersOnly && !isFolder) || !rule.glob.test(path)) continue;
    return rule.isException ? 'excepted' : 'ignored';
  }
  return null;
}
