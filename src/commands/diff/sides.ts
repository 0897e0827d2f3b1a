/** Reads which two packages `diff` compares. */
import { TsregError } from '../../core/errors/error.ts';
import type { PackageIdSpec } from '../../core/package-id/package-id-spec.ts';
import { parseCrateSpec } from '../shared/registry/registry-crates.ts';

/** A package to compare: a `.crate` file, whose path is relative to the working folder, or a crate of the registry. */
export type Side =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'crate'; readonly spec: PackageIdSpec };

const HINT =
  'name two packages, such as `tsreg diff log@0.4.0 log`, or a name and two versions: `tsreg diff log 0.4.0 0.4.1`';

/** Parses two packages, or a name and two versions. Throws `usage`. */
export function parseSides(words: readonly string[]): readonly [old: Side, fresh: Side] {
  const [first, second, third] = words;
  if (words.length > 3 || first === undefined)
    throw new TsregError(`\`diff\` compares two packages, and got ${words.length} values`, usage());
  if (second === undefined)
    throw new TsregError(`\`diff\` compares two packages, and only \`${first}\` is named`, usage());
  if (third === undefined) return [parseSide(first), parseSide(second)];
  const wrong = words.find((word) => isPath(word) || word.includes('@'));
  if (wrong !== undefined)
    throw new TsregError(`three values are a name and two versions, and \`${wrong}\` is neither`, usage());
  return [parseSide(`${first}@${second}`), parseSide(`${first}@${third}`)];
}

function usage(): { readonly code: 'usage'; readonly hint: string } {
  return { code: 'usage', hint: HINT };
}

function parseSide(word: string): Side {
  return isPath(word) ? { kind: 'file', path: word } : { kind: 'crate', spec: parseCrateSpec(word) };
}

/** Returns true for a path: no name or version of a crate has these characters. */
function isPath(word: string): boolean {
  return !word.includes('://') && (/[/\\]/.test(word) || word.endsWith('.crate'));
}
