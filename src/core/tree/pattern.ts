/** Formats for the packages of a tree. Cargo Book: cargo tree, `--format`. */
import { TsregError, withContext } from '../errors/error.ts';

/** The properties of a package that a pattern can show. */
export type PatternField = 'package' | 'license' | 'repository' | 'features' | 'library';

/** A part of a pattern: text, or a property of the package. */
export type PatternPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'field'; readonly field: PatternField };

const FIELDS: ReadonlyMap<string, PatternField> = new Map([
  ['p', 'package'],
  ['package', 'package'],
  ['l', 'license'],
  ['license', 'license'],
  ['r', 'repository'],
  ['repository', 'repository'],
  ['f', 'features'],
  ['features', 'features'],
  ['lib', 'library'],
]);

/** Text, `{{`, `}}`, or `{name}`. The name and the closing brace may be missing. */
const PARTS = /([^{}]+)|(\{\{)|(\}\})|\{(\p{Alphabetic}[\p{Alphabetic}\p{N}]*)?(\})?|\}/gu;

/** Parses a pattern such as `{p} {l}`. Throws `usage` with cargo's message. */
export function parsePattern(text: string): readonly PatternPart[] {
  return withContext(`tree format \`${text}\` not valid`, () =>
    Array.from(text.matchAll(PARTS), ([whole, literal, opening, closing, name = '', end]): PatternPart => {
      if (literal !== undefined) return { kind: 'text', text: literal };
      if (opening !== undefined) return { kind: 'text', text: '{' };
      if (closing !== undefined) return { kind: 'text', text: '}' };
      if (whole === '}') throw invalid("unexpected '}'");
      if (end === undefined) throw invalid("expected '}'");
      const field = FIELDS.get(name);
      if (field === undefined) {
        const hint =
          'the patterns are {p} package, {l} license, {r} repository, {f} features and {lib} library';
        throw new TsregError(`unsupported pattern \`${name}\``, { code: 'usage', hint });
      }
      return { kind: 'field', field };
    }),
  );
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'usage' });
}
