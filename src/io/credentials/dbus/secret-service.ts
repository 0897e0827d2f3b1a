/** The secret store of the user's desktop. Secret Service API Draft 0.2 (org.freedesktop.secrets). */
import type { Environment } from '../../config/environment.ts';
import { TsregError } from '../../../core/errors/error.ts';
import { BusConnection } from './connection.ts';
import { type DBusValue, isVariant } from './values.ts';

/** The name of the service on the bus. */
const SERVICE = 'org.freedesktop.secrets';
const ROOT = '/org/freedesktop/secrets';
/** The start of the names of interfaces and properties. */
const NAMES = 'org.freedesktop.Secret';
const DEFAULT_COLLECTION = `${ROOT}/aliases/default`;
/** The path that represents no object. */
const NOTHING = '/';
const CONTENT_TYPE = 'text/plain';

/** The attributes that identify a secret. */
export type SecretAttributes = Readonly<Record<string, string>>;

/** A secret, with the label that the user sees. */
export interface StoredSecret {
  readonly label: string;
  readonly attributes: SecretAttributes;
  readonly secret: Uint8Array;
}

/**
 * A client of the secret service, which may prompt the user to unlock secrets. The caller must close it.
 *
 * Methods that may need a prompt return an object or a list, and the path of a prompt. If the path is `NOTHING`, the
 * object or list is final. Otherwise the prompt has the result. `Delete` returns only the path of a prompt.
 */
export class SecretService {
  readonly #bus: BusConnection;
  readonly #session: string;

  private constructor(bus: BusConnection, session: string) {
    this.#bus = bus;
    this.#session = session;
  }

  /** Connects to the service of the session in `env`. Rejects if there is none. */
  static async open(env: Environment, signal: AbortSignal): Promise<SecretService> {
    const bus = await BusConnection.open(sessionBusSockets(env), signal);
    try {
      // `plain` means no encryption: only the bus, which runs as the same user, sees the secrets.
      const algorithm = { signature: 's', value: '' };
      const call = {
        ...methodOf(ROOT, 'Service', 'OpenSession'),
        signature: 'sv',
        body: ['plain', algorithm],
      };
      const [, session] = await bus.call(call);
      return new SecretService(bus, pathIn(session, 'OpenSession'));
    } catch (error) {
      bus.close();
      throw error;
    }
  }

  /** Returns the first secret that has all attributes; null if there is none. */
  async lookUp(attributes: SecretAttributes): Promise<Uint8Array | null> {
    const { unlocked, locked } = await this.#search(attributes);
    const [item] = unlocked.length > 0 ? unlocked : await this.#unlock(locked.slice(0, 1));
    if (item === undefined) return null;
    const call = { ...methodOf(item, 'Item', 'GetSecret'), signature: 'o', body: [this.#session] };
    const [secret] = await this.#bus.call(call);
    // A secret has a session, parameters of its encryption, a value and a content type.
    const bytes = Array.isArray(secret) ? secret[2] : null;
    if (!(bytes instanceof Uint8Array)) throw unexpected('GetSecret');
    return bytes;
  }

  /** Stores a secret, and replaces one with the same attributes. */
  async store({ label, attributes, secret }: StoredSecret): Promise<void> {
    const collection = await this.#openDefaultCollection();
    const properties: DBusValue = [
      [`${NAMES}.Item.Label`, { signature: 's', value: label }],
      [`${NAMES}.Item.Attributes`, { signature: 'a{ss}', value: Object.entries(attributes) }],
    ];
    const value: DBusValue = [this.#session, new Uint8Array(), secret, CONTENT_TYPE];
    const replaces = true;
    const [, prompt] = await this.#bus.call({
      ...methodOf(collection, 'Collection', 'CreateItem'),
      signature: 'a{sv}(oayays)b',
      body: [properties, value, replaces],
    });
    await this.#prompt(pathIn(prompt, 'CreateItem'));
  }

  /** Removes all secrets that have all attributes. */
  async remove(attributes: SecretAttributes): Promise<void> {
    const { unlocked, locked } = await this.#search(attributes);
    for (const item of [...unlocked, ...(await this.#unlock(locked))]) {
      const [prompt] = await this.#bus.call({ ...methodOf(item, 'Item', 'Delete'), signature: '', body: [] });
      await this.#prompt(pathIn(prompt, 'Delete'));
    }
  }

  /** Closes the connection to the bus. */
  close(): void {
    this.#bus.close();
  }

  /** Returns the paths of the secrets that have all attributes. */
  async #search(
    attributes: SecretAttributes,
  ): Promise<{ readonly unlocked: readonly string[]; readonly locked: readonly string[] }> {
    const [unlocked, locked] = await this.#bus.call({
      ...methodOf(ROOT, 'Service', 'SearchItems'),
      signature: 'a{ss}',
      body: [Object.entries(attributes)],
    });
    return { unlocked: pathsIn(unlocked, 'SearchItems'), locked: pathsIn(locked, 'SearchItems') };
  }

  /** Returns the default collection, unlocked; creates it if the user has none. */
  async #openDefaultCollection(): Promise<string> {
    const [aliasPath] = await this.#bus.call({
      ...methodOf(ROOT, 'Service', 'ReadAlias'),
      signature: 's',
      body: ['default'],
    });
    if (pathIn(aliasPath, 'ReadAlias') !== NOTHING) {
      await this.#unlock([DEFAULT_COLLECTION]);
      return DEFAULT_COLLECTION;
    }
    const label: DBusValue = [[`${NAMES}.Collection.Label`, { signature: 's', value: 'Default keyring' }]];
    const [newCollection, prompt] = await this.#bus.call({
      ...methodOf(ROOT, 'Service', 'CreateCollection'),
      signature: 'a{sv}s',
      body: [label, 'default'],
    });
    const result = await this.#prompt(pathIn(prompt, 'CreateCollection'));
    return pathIn(isVariant(result) ? result.value : newCollection, 'CreateCollection');
  }

  /** Unlocks `paths`, and returns the unlocked ones. */
  async #unlock(paths: readonly string[]): Promise<readonly string[]> {
    if (paths.length === 0) return [];
    const [unlocked, prompt] = await this.#bus.call({
      ...methodOf(ROOT, 'Service', 'Unlock'),
      signature: 'ao',
      body: [paths],
    });
    const result = await this.#prompt(pathIn(prompt, 'Unlock'));
    return pathsIn(isVariant(result) ? result.value : unlocked, 'Unlock');
  }

  /** Lets the service prompt the user. Returns null if no prompt is needed. Throws if the user dismisses it. */
  async #prompt(path: string): Promise<DBusValue | null> {
    if (path === NOTHING) return null;
    const name = { path, interface: `${NAMES}.Prompt`, member: 'Completed' };
    const [isDismissed, result] = await this.#bus.signalAfter(name, () =>
      this.#bus.call({ ...methodOf(path, 'Prompt', 'Prompt'), signature: 's', body: [''] }),
    );
    if (isDismissed !== false || result === undefined) {
      throw new TsregError('the prompt of the secret service was dismissed', { code: 'auth' });
    }
    return result;
  }
}

/** Returns the address of a method of the object `path`: `kind` is the last part of its interface's name. */
function methodOf(path: string, kind: string, member: string) {
  return { destination: SERVICE, path, interface: `${NAMES}.${kind}`, member };
}

function pathIn(value: DBusValue | undefined, method: string): string {
  if (typeof value !== 'string') throw unexpected(method);
  return value;
}

function pathsIn(value: DBusValue | undefined, method: string): readonly string[] {
  if (!Array.isArray(value)) throw unexpected(method);
  return value.map((path) => pathIn(path, method));
}

function unexpected(method: string): TsregError {
  return new TsregError(`the secret service gave an unexpected response to \`${method}\``, { code: 'auth' });
}

/** Returns the socket paths to try, in order. A path in the abstract namespace begins with NUL. */
function sessionBusSockets(env: Environment): readonly string[] {
  const address = env['DBUS_SESSION_BUS_ADDRESS'];
  if (address !== undefined && address !== '') {
    return address.split(';').flatMap((part) => socketOf(part) ?? []);
  }
  const folder = env['XDG_RUNTIME_DIR'];
  return folder === undefined || folder === '' ? [] : [`${folder}/bus`];
}

/** Returns the path in an address such as `unix:path=/run/user/1000/bus,guid=…`; null for another transport. */
function socketOf(address: string): string | null {
  if (!address.startsWith('unix:')) return null;
  for (const pair of address.slice('unix:'.length).split(',')) {
    const [key, value] = pair.split('=', 2);
    if (value === undefined) continue;
    if (key === 'path') return unescapeValue(value);
    if (key === 'abstract') return `\0${unescapeValue(value)}`;
  }
  return null;
}

/** Decodes `%2f` and other escaped bytes. D-Bus Specification, "Server Addresses". */
function unescapeValue(text: string): string {
  const bytes = text.replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
