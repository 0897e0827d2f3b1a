/** The `config.json` of an index. Cargo Book: Registry Index, Index Configuration. */
import { JsonCursor } from './json-cursor.ts';

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
  const cursor = new JsonCursor(bytes);
  let dl: string | undefined;
  let api: string | null | undefined;
  let authRequired: boolean | undefined;
  let dryRun = false;
  const once = (field: string, previous: unknown) => {
    if (previous !== undefined) throw cursor.error(`duplicate field \`${field}\``);
  };
  const readDl = () => {
    dl = cursor.readString();
  };
  const readApi = () => {
    api = cursor.readOptional(() => cursor.readString());
  };
  const readAuthRequired = () => {
    authRequired = cursor.readBoolean();
  };
  const name = 'struct RegistryConfig';
  if (cursor.isAtList()) cursor.readTuple(name, [readDl, readApi, readAuthRequired], 2);
  else {
    cursor.readObject(name, (key) => {
      switch (key) {
        case 'dl':
          once(key, dl);
          return readDl();
        case 'api':
          once(key, api);
          return readApi();
        case 'auth-required':
          once(key, authRequired);
          return readAuthRequired();
        case DRY_RUN_FIELD:
          dryRun = cursor.readIsTrue();
          return;
        default:
          cursor.skipValue();
      }
    });
  }
  if (dl === undefined) throw cursor.error('missing field `dl`');
  cursor.finish();
  return { dl, api: api ?? null, authRequired: authRequired ?? false, dryRun };
}
