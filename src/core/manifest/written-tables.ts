/** Single tables of a manifest, as written and without checks of the others. Cargo Book: The Manifest Format. */
import { DecodeContext, type Decoder, map, strings } from '../toml/decode.ts';
import { parseToml } from '../toml/parse.ts';
import { badges } from './inheritable.ts';

const features = map(strings);

/** Reads `[badges]`. Throws if the text is not TOML, or a badge is not a table of strings. */
export function writtenBadges(text: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  return writtenTable(text, 'badges', badges);
}

/** Reads `[features]`, without implied ones. Throws if the text is not TOML, or a value is not a list of strings. */
export function writtenFeatures(text: string): ReadonlyMap<string, readonly string[]> {
  return writtenTable(text, 'features', features);
}

function writtenTable<T>(
  text: string,
  key: string,
  decoder: Decoder<ReadonlyMap<string, T>>,
): ReadonlyMap<string, T> {
  const table = parseToml(text).get(key);
  return table === undefined ? new Map() : decoder(table, new DecodeContext());
}
