/** The `config.json` of an index. Cargo Book: Registry Index, Index Configuration. */
import { boolean, decodeAsCargo, nullable, string, struct } from '../json/decode-as-cargo.ts';

/** The configuration of a registry, from its index. */
export interface IndexConfig {
  /** The template of download URLs, for `downloadUrl`. */
  readonly dl: string;
  /** Base of the web API, or null if there is none. */
  readonly api: string | null;
  /** True if every request requires a token. */
  readonly authRequired: boolean;
  /** True if the web API can check a publish request without storing it. Not in the Cargo Book. */
  readonly dryRun: boolean;
}

/** The name of the file, at the root of an index. */
export const INDEX_CONFIG_FILE = 'config.json';

/** The field by which a registry offers to check publish requests without storing them. */
export const DRY_RUN_FIELD = 'dry-run';

/** Decodes a `config.json`. Ignores unknown fields. Throws cargo's errors. */
export function decodeIndexConfig(bytes: Uint8Array): IndexConfig {
  let dryRun = false;
  const decoder = struct(
    'RegistryConfig',
    { dl: string, api: nullable(string), 'auth-required': boolean },
    {
      required: ['dl'],
      // cargo's `auth-required` has a default, so a list may omit it.
      omissible: 1,
      onUnknown(key, cursor) {
        if (key === DRY_RUN_FIELD) dryRun = cursor.readIsTrue();
        else cursor.skipValue();
      },
    },
  );
  const { dl, api = null, 'auth-required': authRequired = false } = decodeAsCargo(decoder, bytes);
  return { dl, api, authRequired, dryRun };
}
