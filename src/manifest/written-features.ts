/** `[features]` of a manifest. Cargo Book: Features. */
import { DecodeContext, map, strings } from '../toml/decode.ts';
import { parseToml } from '../toml/parse.ts';

const features = map(strings);

/**
 * The features that the text of a manifest writes down, values as written, and none that are implied. Nothing else
 * is looked at. Throws where the text is not TOML or a value is no list of strings.
 */
export function writtenFeatures(text: string): ReadonlyMap<string, readonly string[]> {
  const table = parseToml(text).get('features');
  return table === undefined ? new Map<string, readonly string[]>() : features(table, new DecodeContext());
}
