import { createHash } from 'node:crypto';
import { indexPath } from '../../../helpers/crate.ts';
import { headerOf, type RecordedRequest, type WireAnswer } from '../../../helpers/recording-server.ts';

/** A version in the store of a registry. */
export interface KeptVersion {
  readonly name: string;
  readonly vers: string;
  readonly metadata: PublishedMetadata;
  readonly archive: Buffer;
  readonly checksum: string;
  isYanked: boolean;
  /** False until the index shows it. */
  isIndexed: boolean;
}

/** The fields of the publish metadata that index lines are made of. */
export interface PublishedMetadata {
  readonly name: string;
  readonly vers: string;
  readonly deps: readonly PublishedDependency[];
  readonly features: Readonly<Record<string, readonly string[]>>;
  readonly links: string | null;
  readonly rust_version: string | null;
}

export interface PublishedDependency {
  readonly name: string;
  readonly version_req: string;
  readonly features: readonly string[];
  readonly optional: boolean;
  readonly default_features: boolean;
  readonly target: string | null;
  readonly kind: 'normal' | 'dev' | 'build';
  readonly registry?: string | null;
  readonly explicit_name_in_toml?: string | null;
}

/** A version from a publish request. */
type SentVersion = Omit<KeptVersion, 'isYanked' | 'isIndexed'>;

/** The crates in the store of a registry. */
export class KeptCrates {
  readonly versions: KeptVersion[] = [];
  /** The logins of the owners by crate name. */
  readonly owners = new Map<string, string[]>();

  /** Decodes the body of a publish request. Returns null if it is too short. */
  static read(body: Buffer): SentVersion | null {
    if (body.length < 8) return null;
    const length = body.readUInt32LE(0);
    if (body.length < length + 8) return null;
    const metadata = JSON.parse(body.toString('utf8', 4, 4 + length)) as PublishedMetadata;
    const archive = body.subarray(8 + length);
    const checksum = createHash('sha256').update(archive).digest('hex');
    return { name: metadata.name, vers: metadata.vers, metadata, archive, checksum };
  }

  add(version: SentVersion): void {
    this.versions.push({ ...version, isYanked: false, isIndexed: true });
  }

  find(name: string, vers: string): KeptVersion | undefined {
    return this.versions.find((one) => one.name === name && one.vers === vers);
  }

  /** Returns the index files by path. `line` returns the entry of one version. */
  indexFiles(line: (version: KeptVersion) => unknown, end = '\n'): Map<string, string> {
    const files = new Map<string, string[]>();
    for (const version of this.versions) {
      if (!version.isIndexed) continue;
      const file = indexPath(version.name);
      files.set(file, [...(files.get(file) ?? []), JSON.stringify(line(version))]);
    }
    return new Map([...files].map(([file, lines]) => [file, `${lines.join('\n')}${end}`]));
  }
}

/** Returns a dependency in the format of an index (The Cargo Book, "Registry Index"). */
export function indexDependency(dep: PublishedDependency): Record<string, unknown> {
  const { name, version_req: req, features, optional, default_features, target, kind } = dep;
  const alias = dep.explicit_name_in_toml ?? null;
  return {
    ...{ name: alias ?? name, req, features, optional, default_features, target, kind },
    registry: dep.registry ?? null,
    package: alias === null ? null : name,
  };
}

/** An imitation of another registry, with its peculiarities. */
export interface Imitation {
  readonly name: string;
  /** With `git`, the index is a repository, and `answer` gets no requests for it. */
  readonly index: 'sparse' | 'git';
  /** The token that it accepts. */
  readonly token: string;
  readonly crates: KeptCrates;
  /** Returns `config.json`; `url` is the address of the server. */
  config(url: string): Readonly<Record<string, unknown>>;
  /** Returns the files of its index except `config.json`. */
  files(url: string): ReadonlyMap<string, string>;
  answer: (request: RecordedRequest, url: string) => WireAnswer;
}

/** A parsed request. */
export interface ApiCall {
  readonly action:
    | 'publish'
    | 'yank'
    | 'unyank'
    | 'owners'
    | 'search'
    | 'me'
    | 'download'
    | 'index'
    | 'other';
  readonly method: string;
  readonly name: string;
  readonly vers: string;
  readonly query: URLSearchParams;
  readonly file: string;
}

/** Parses a request. Every imitation has its index at `/index/`. */
export function readCall(request: RecordedRequest): ApiCall {
  const url = new URL(request.target, 'http://127.0.0.1');
  const blank = { method: request.method, name: '', vers: '', query: url.searchParams, file: '' };
  const path = url.pathname;
  const [, name = '', vers = '', action] =
    /^\/api\/v1\/crates\/([^/]+)\/([^/]+)\/(yank|unyank)$/.exec(path) ?? [];
  if (action === 'yank' || action === 'unyank') return { ...blank, action, name, vers };
  if (path === '/api/v1/crates/new') return { ...blank, action: 'publish' };
  const owned = /^\/api\/v1\/crates\/([^/]+)\/owners$/.exec(path)?.[1];
  if (owned !== undefined) return { ...blank, action: 'owners', name: owned };
  if (path === '/api/v1/crates') return { ...blank, action: 'search' };
  if (path === '/me') return { ...blank, action: 'me' };
  if (path.startsWith('/index/')) return { ...blank, action: 'index', file: path.slice('/index/'.length) };
  const download = /^\/dl\/([^/]+)\/(?:([^/]+)\/download|([^/]+)\.crate)$/.exec(path);
  if (download === null) return { ...blank, action: 'other' };
  return { ...blank, action: 'download', name: download[1] ?? '', vers: download[2] ?? download[3] ?? '' };
}

/** Returns the `Authorization` header, or null if there is none. */
export function tokenOf(request: RecordedRequest): string | null {
  return headerOf(request, 'authorization');
}

/** Returns a response in JSON. */
export function json(status: number, value: unknown, headers: WireAnswer['headers'] = []): WireAnswer {
  return { status, headers: [['Content-Type', 'application/json'], ...headers], body: JSON.stringify(value) };
}

/** Returns an error response in the format of the Cargo Book. */
export function errors(status: number, detail: string, headers?: WireAnswer['headers']): WireAnswer {
  return json(status, { errors: [{ detail }] }, headers);
}

/** Returns a response in plain text. */
export function text(status: number, body: string, headers: WireAnswer['headers'] = []): WireAnswer {
  return { status, headers: [['Content-Type', 'text/plain; charset=utf-8'], ...headers], body };
}

/** Returns the crates whose names contain `query`, each with its newest version. */
export function found(
  crates: KeptCrates,
  query: string,
): { name: string; max_version: string; description: string }[] {
  const newest = new Map(crates.versions.map(({ name, vers }) => [name, vers]));
  return [...newest]
    .filter(([name]) => name.includes(query))
    .map(([name, max_version]) => ({ name, max_version, description: `All about ${name}` }));
}
