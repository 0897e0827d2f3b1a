/** `[features]` of a manifest. Cargo Book: Features. */
import { DecodeContext, map, strings } from '../toml/decode.ts';
import { parseToml } from '../toml/parse.ts';

const features = map(strings);

/**
 * Reads the features in the text of a manifest as written, without implied ones, and nothing else. Throws if the text
 * is not TOML or a value is not a list of strings.
 */
export function writtenFeatures(text: string): ReadonlyMap<string, readonly string[]> {
  const table = parseToml(text).get('features');
  return table === undefined ? new Map<string, readonly string[]>() : features(table, new DecodeContext());
}
