/** Edits of the text of a credentials file. Cargo Book: Configuration, "Credentials". */
import { parseConfigText } from '../config/parse-text.ts';
import type { Secret } from '../config/secret.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { TomlTable, TomlValue } from '../../core/toml/value.ts';
import { writeToml } from '../../core/toml/write-toml.ts';

/** The credential to store for a registry; `none` removes tokens and keys. */
export type StoredCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: Secret }
  | { readonly kind: 'secret-key'; readonly key: Secret; readonly subject: string | null };

/** A change to a credentials file. `registry` is null for crates.io. */
export interface CredentialEdit {
  readonly registry: string | null;
  readonly credential: StoredCredential;
}

const TOKEN = 'token';
const SECRET_KEY = 'secret-key';
const SUBJECT = 'secret-key-subject';

/**
 * Returns `text` with `credential` in it. Keeps other keys, but not comments and layout. As in cargo, a token at the
 * top level moves to `[registry]`, and `[registries]` moves to the end if a credential is stored there.
 */
export function editCredentials(text: string, { registry, credential }: CredentialEdit): string {
  const document = parseConfigText(text, { hidesValues: true });
  moveOldToken(document);
  if (credential.kind === 'none') {
    const table =
      registry === null ? findTable(document, 'registry', 'registry') : findRegistry(document, registry);
    for (const key of [TOKEN, SECRET_KEY, SUBJECT]) table?.delete(key);
  } else {
    store(credential, registry === null ? tableAt(document, 'registry') : registryAt(document, registry));
  }
  return writeToml(document, { arrays: 'inline' });
}

function store(credential: Exclude<StoredCredential, { kind: 'none' }>, table: TomlTable): void {
  if (credential.kind === 'token') {
    table.set(TOKEN, credential.token.expose());
    return;
  }
  table.set(SECRET_KEY, credential.key.expose());
  if (credential.subject !== null) table.set(SUBJECT, credential.subject);
}

/** Moves a top-level token, where very old versions of cargo stored that of crates.io. */
function moveOldToken(document: TomlTable): void {
  const token = document.get(TOKEN);
  if (token === undefined) return;
  document.delete(TOKEN);
  const table = tableAt(document, 'registry');
  if (!table.has(TOKEN)) table.set(TOKEN, token);
}

/** Returns the table of a registry, which it creates if necessary. Moves `[registries]` to the end. */
function registryAt(document: TomlTable, registry: string): TomlTable {
  const registries = tableAt(document, 'registries');
  document.delete('registries');
  document.set('registries', registries);
  return tableAt(registries, registry);
}

/** Returns the table of a registry; null if there is none. */
function findRegistry(document: TomlTable, registry: string): TomlTable | null {
  const registries = document.get('registries');
  return registries instanceof Map ? findTable(registries, registry, `registries.${registry}`) : null;
}

/** Returns the table at `key`; null if the key does not exist. Throws `config`, with `path`, for another value. */
function findTable(parent: TomlTable, key: string, path: string): TomlTable | null {
  const value: TomlValue | undefined = parent.get(key);
  if (value === undefined) return null;
  if (value instanceof Map) return value;
  throw new TsregError(`expected \`[${path}]\` to be a table`, { code: 'config' });
}

/** Returns the table at `key`, which it creates if the key does not exist. */
function tableAt(parent: TomlTable, key: string): TomlTable {
  const existing = findTable(parent, key, key);
  if (existing !== null) return existing;
  const table: TomlTable = new Map();
  parent.set(key, table);
  return table;
}
