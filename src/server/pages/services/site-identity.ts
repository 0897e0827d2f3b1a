/** The identity that the pages show. It combines flags and the settings of admins. */
import type { Identity, ServerContext } from '../../server-context.ts';
import { reasonOf } from '../../shared/reason-of.ts';
import { SingleFlight } from '../../shared/single-flight.ts';
import { type Asset, type Assets, makeAssets } from '../shared/assets.ts';
import { withSigns } from '../readme/readme-signs.ts';
import { Readmes } from '../readme/readmes.ts';
import { storedIdentity, withStored } from './stored-identity.ts';

/** An identity is read again when it is this old: another server may have changed it. */
const MAX_AGE_MS = 30_000;
/** An unknown asset may be a new one of another server. It causes a read, but at most one in this time. */
const MIN_AGE_MS = 1000;
/** The number of latest assets that are served. Pages that browsers have open need assets of earlier identities. */
const MAX_ASSETS = 12;

/** An identity with the files that depend on it. */
export interface ShownIdentity {
  readonly identity: Identity;
  readonly assets: Assets;
}

type Settings = ReadonlyMap<string, Uint8Array>;

/** The current identity, which is at most half a minute old. */
export class SiteIdentity {
  readonly #context: ServerContext;
  readonly #readmes: Readmes;
  readonly #reading = new SingleFlight<void>();
  readonly #assets = new Map<string, Asset>();
  #settings: Settings = new Map();
  #shown: ShownIdentity;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(context: ServerContext) {
    this.#context = context;
    this.#readmes = new Readmes(context);
    this.#shown = this.#show(context.settings.identity);
  }

  /** The identity as it was last read; that of the flags before the first read. */
  get latest(): ShownIdentity {
    return this.#shown;
  }

  /** Returns the current identity. If the records fail, it is the one that was last read. */
  async current(): Promise<ShownIdentity> {
    if (this.#ageMs() >= MAX_AGE_MS) await this.#read();
    return this.#shown;
  }

  /** Reads the identity again, after a change. */
  async reload(): Promise<void> {
    // A read in progress may have begun before the change.
    await this.#read();
    await this.#read();
  }

  /** Returns the asset of a path, also if another server or an earlier identity named it; null if there is none. */
  async findAsset(path: string): Promise<Asset | null> {
    if (!this.#assets.has(path) && this.#ageMs() >= MIN_AGE_MS) await this.#read();
    return this.#assets.get(path) ?? null;
  }

  #ageMs(): number {
    return this.#context.clock.now() - this.#readAtMs;
  }

  /** Reads the settings. Logs an error, and then keeps the last identity. */
  #read(): Promise<void> {
    return this.#reading.run('settings', async () => {
      const { records, clock, log } = this.#context;
      this.#readAtMs = clock.now();
      try {
        const settings = await records.listSettings();
        if (isEqual(settings, this.#settings)) return;
        this.#shown = this.#show(await this.#combine(settings));
        this.#settings = settings;
      } catch (error) {
        log.warning('settings-not-read', { reason: reasonOf(error) });
      }
    });
  }

  /** Returns the identity of flags and settings, with the welcome text as HTML. */
  async #combine(settings: Settings): Promise<Identity> {
    const { identity: base, fixedIdentity: fixed = new Set() } = this.#context.settings;
    const stored = storedIdentity(settings);
    const origin = { repository: null, readmePath: null };
    const welcome = stored.welcome === null ? null : await this.#readmes.render(stored.welcome, origin);
    return withStored({ base, fixed }, stored, welcome === null ? null : withSigns(welcome).text);
  }

  /** Makes the assets of an identity, and serves them from now on. */
  #show(identity: Identity): ShownIdentity {
    const assets = makeAssets(identity);
    for (const asset of Object.values(assets)) {
      // Added again, an asset is the latest one.
      this.#assets.delete(asset.path);
      this.#assets.set(asset.path, asset);
    }
    const oldest = [...this.#assets.keys()].slice(0, -MAX_ASSETS);
    for (const path of oldest) this.#assets.delete(path);
    return { identity, assets };
  }
}

function isEqual(one: Settings, other: Settings): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([name, value]) => {
    const otherValue = other.get(name);
    return otherValue !== undefined && Buffer.compare(value, otherValue) === 0;
  });
}
