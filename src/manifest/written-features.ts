/** `[features]` of a manifest. Cargo Book: Features. */
import { DecodeContext } from '../toml/decode.ts';
import { parseToml } from '../toml/parse.ts';
import { rawManifest } from './raw-manifest.ts';

/** The features that a manifest's text writes down, values as written; none for text without a table of them. */
export function writtenFeatures(text: string): ReadonlyMap<string, readonly string[]> {
  return rawManifest(parseToml(text), new DecodeContext()).features ?? new Map<string, readonly string[]>();
}
