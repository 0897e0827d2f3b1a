/** `[features]` of a prepared manifest. Cargo Book: Features. */
import { DecodeContext, map, strings } from '../toml/decode.ts';
import type { TomlTable } from '../toml/value.ts';

const features = map(strings);

/** The features that a manifest's document writes down, values as written; none where it has no table of them. */
export function writtenFeatures(document: TomlTable): ReadonlyMap<string, readonly string[]> {
  const table = document.get('features');
  return table === undefined ? new Map<string, readonly string[]>() : features(table, new DecodeContext());
}
