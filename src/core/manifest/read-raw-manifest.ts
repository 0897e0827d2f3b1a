/** Manifests as written, from the text of a `Cargo.toml`. Cargo Book: The Manifest Format. */
import { TsregError } from '../errors/error.ts';
import { decodeDocument } from '../toml/decode.ts';
import { parseToml, parseTomlWithSpans } from '../toml/parse.ts';
import { mayShowLine, TomlSyntaxError } from '../toml/syntax-error.ts';
import { locateTypeError, TomlTypeError } from '../toml/type-error.ts';
import type { TomlTable } from '../toml/value.ts';
import { rawManifest } from './raw-manifest.ts';
import type { RawManifest } from './raw-manifest.ts';

/** A manifest as written, and its unused keys, dotted and in file order. */
export interface DecodedManifest {
  /** The whole document. */
  readonly table: TomlTable;
  readonly raw: RawManifest;
  readonly unusedKeys: readonly string[];
}

/**
 * Parses the manifest at `path`. If the text is not TOML or has values of the wrong type, throws an error with a
 * snippet. Does not read the table `ignored`.
 */
export function readRawManifest(
  text: string,
  path: string,
  { ignored }: { readonly ignored?: keyof RawManifest } = {},
): DecodedManifest {
  try {
    const table = parseToml(text);
    if (ignored !== undefined) table.delete(ignored);
    const { value, unused } = decodeDocument(rawManifest, table);
    return { table, raw: value, unusedKeys: unused };
  } catch (error) {
    let syntaxError: TomlSyntaxError;
    if (error instanceof TomlSyntaxError) syntaxError = error;
    else if (error instanceof TomlTypeError) syntaxError = locateTypeError(parseTomlWithSpans(text), error);
    else throw error;
    const { message, start, end } = syntaxError;
    // An error without a place. Like cargo, does not name the file.
    if (start < 0) throw new TsregError(`${message}\n`, { code: 'toml' });
    if (!mayShowLine(text, syntaxError)) {
      const cause = new TsregError(message, { code: 'toml' });
      throw new TsregError(`failed to parse manifest at \`${path}\``, { cause });
    }
    throw new TsregError(message, { code: 'toml', snippet: { path, text, span: { start, end }, message } });
  }
}
