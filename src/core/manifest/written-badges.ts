/** `[badges]` of a manifest. Cargo Book: The Manifest Format, The badges section. */
import { DecodeContext } from '../toml/decode.ts';
import { parseToml } from '../toml/parse.ts';
import { badges } from './inheritable.ts';

/** Reads the badges in the text of a manifest. Throws if it is not TOML, or a badge is not a table of strings. */
export function writtenBadges(text: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const table = parseToml(text).get('badges');
  return table === undefined
    ? new Map<string, ReadonlyMap<string, string>>()
    : badges(table, new DecodeContext());
}
