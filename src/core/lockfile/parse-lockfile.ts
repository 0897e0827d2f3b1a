/** Reader of `Cargo.lock`. Cargo Book: Cargo.toml vs Cargo.lock. */
import { present } from '../errors/assert.ts';
import { TsregError, withContext } from '../errors/error.ts';
import { Wording } from '../errors/wording.ts';
import { comparePackageIds, makePackageId, type PackageId } from '../package-id/package-id.ts';
import { isIndexedName } from '../package-id/path-part.ts';
import { isRegistry, type SourceId } from '../package-id/source-id.ts';
import { SourceTable } from '../package-id/source-table.ts';
import { parseSourceUrl } from '../package-id/source-url.ts';
import { parseVersion, VersionParseError, type Version } from '../version/version.ts';
import {
  CHECKSUM_KEY,
  NO_CHECKSUM,
  type LockedPackage,
  type Lockfile,
  type LockfileVersion,
} from './lockfile.ts';
import { decodeRawLockfile, type RawLockfile, type RawPackage, type TextCheck } from './raw-lockfile.ts';

/** The path packages of a workspace: their sources by name and printed version. */
export type PathSources = ReadonlyMap<string, ReadonlyMap<string, SourceId>>;

/** The inputs for reading a lock file. */
export interface LockfileContext {
  /** Path of the file, for messages. */
  readonly path: string;
  readonly sources: SourceTable;
  /**
   * Returns the path packages, because a lock file names these without their folder. It is called after the text is
   * decoded.
   */
  readonly pathSources: () => PathSources;
}

/**
 * Parses a lock file of any version. Leaves out path packages that do not exist and dependencies that it cannot
 * resolve. Throws with cargo's chain of messages. Changes the names of registries in `context.sources`: see
 * `SourceTable.markManifestsRead` and `leaveUnnamed`.
 */
export function parseLockfile(text: string, context: LockfileContext): Lockfile {
  return withContext(
    () => `failed to parse lock file at: ${context.path}`,
    () => new LockfileParser(text, context).lockfile(),
  );
}

/**
 * Turns the decoded tables into a lock file. Files of versions 1 and 2 look the same but for a few signs, so `#version`
 * starts at 1 and rises when one of these appears.
 */
class LockfileParser {
  readonly #text: string;
  readonly #context: LockfileContext;
  readonly #raw: RawLockfile;
  readonly #pathSources: PathSources;
  #version: LockfileVersion;
  /** The packages that exist, in the order of the file. */
  readonly #packages: { readonly id: PackageId; readonly raw: RawPackage }[] = [];
  /** IDs of `#packages` by name and version. */
  readonly #byName = new Map<string, Map<string, PackageId[]>>();
  /** Parsed sources by their text. */
  readonly #sources = new Map<string, SourceId>();
  /** Results of `#resolve` by its text. */
  readonly #resolved = new Map<string, PackageId | null>();

  constructor(text: string, context: LockfileContext) {
    this.#text = text;
    this.#context = context;
    this.#raw = decodeChecked(text);
    this.#pathSources = context.pathSources();
    context.sources.markManifestsRead();
    this.#version = knownVersion(this.#raw.version);
  }

  /** Returns the lock file. Call it once. References can only be resolved after all packages are added. */
  lockfile(): Lockfile {
    const { root, packages } = this.#raw;
    this.#addPackages(root === null ? packages : [root, ...packages]);
    const dependencies = this.#packages.map(({ raw }) => this.#resolveAll(raw.dependencies ?? []));
    const replacements = this.#packages.map(({ raw }) =>
      raw.replace === null ? null : this.#resolve(raw.replace),
    );
    const { checksums, withoutChecksum, metadata } = this.#checksums();
    const unusedPatches: PackageId[] = [];
    for (const raw of this.#raw.unusedPatches) {
      const id = this.#idOf(raw);
      if (id !== null) unusedPatches.push(id);
    }
    // A file with one package may show version 2 only by the missing empty line at its end.
    if (this.#packages.length === 1 && /[^\n]\n$/.test(this.#text)) this.#raiseVersion();
    const locked = this.#packages.map(
      ({ id }, index): LockedPackage => ({
        id,
        checksum: checksums.get(id.key) ?? null,
        dependencies: present(dependencies[index], 'the dependencies of a package'),
        replace: replacements[index] ?? null,
      }),
    );
    return {
      version: this.#version,
      packages: locked.sort((a, b) => comparePackageIds(a.id, b.id)),
      unusedPatches,
      metadata,
      withoutChecksum,
    };
  }

  /** Adds every package that exists. Throws `lockfile` if a package is listed twice. */
  #addPackages(packages: readonly RawPackage[]): void {
    const seen = new Set<string>();
    for (const raw of packages) {
      const key = `${raw.name} ${raw.version} ${raw.source ?? ''}`;
      if (seen.has(key)) {
        throw new TsregError(`package \`${raw.name}\` is specified twice in the lockfile`, {
          code: 'lockfile',
        });
      }
      seen.add(key);
      const id = this.#idOf(raw);
      if (id === null) continue;
      if (raw.checksum !== null) this.#raiseVersion();
      this.#packages.push({ id, raw });
      let versions = this.#byName.get(id.name);
      if (versions === undefined) {
        versions = new Map();
        this.#byName.set(id.name, versions);
      }
      const ids = versions.get(id.version.text);
      if (ids === undefined) versions.set(id.version.text, [id]);
      else ids.push(id);
    }
  }

  /** Returns the ID of a package; null for a path package that does not exist. */
  #idOf(raw: RawPackage): PackageId | null {
    const source = raw.source === null ? this.#pathSource(raw) : this.#source(raw.source);
    if (source === null) return null;
    this.#context.sources.leaveUnnamed(source);
    // The name of a package from a registry becomes part of a path before any other check.
    if (isRegistry(source) && !isIndexedName(raw.name)) {
      throw new TsregError(`${JSON.stringify(raw.name)} is not the name of a package`, { code: 'lockfile' });
    }
    return makePackageId(raw.name, lockedVersion(raw.version), source);
  }

  /** Returns the folder of a path package: the only one of its name, else the one with its version. */
  #pathSource({ name, version }: RawPackage): SourceId | null {
    const versions = this.#pathSources.get(name);
    if (versions === undefined) return null;
    if (versions.size > 1) return versions.get(version) ?? null;
    const [only] = versions.values();
    return only ?? null;
  }

  /** Returns the parsed source. `decodeChecked` has checked the text. */
  #source(text: string): SourceId {
    let source = this.#sources.get(text);
    if (source === undefined) {
      source = parseSourceUrl(text, this.#context.sources);
      this.#sources.set(text, source);
    }
    return source;
  }

  /** Returns the packages of references, without duplicates and without those that it cannot resolve. */
  #resolveAll(texts: readonly string[]): readonly PackageId[] {
    const ids: PackageId[] = [];
    for (const text of texts) {
      const id = this.#resolve(text);
      if (id !== null && !ids.includes(id)) ids.push(id);
    }
    return ids;
  }

  /**
   * Returns the package that `name`, `name version` or `name version (source)` refers to; null if none or several
   * match.
   */
  #resolve(text: string): PackageId | null {
    let id = this.#resolved.get(text);
    if (id === undefined) {
      id = this.#lookUp(text);
      this.#resolved.set(text, id);
    }
    return id;
  }

  /** Does the same as `#resolve`, without the cache. */
  #lookUp(text: string): PackageId | null {
    const { name, version, source } = splitReference(text);
    const requested = source === null ? null : this.#source(source);
    const versions = this.#byName.get(name);
    if (versions === undefined) return null;
    let ids: readonly PackageId[] | undefined;
    if (version === null) {
      this.#raiseVersion();
      if (versions.size !== 1) return null;
      [ids] = versions.values();
    } else {
      ids = versions.get(version);
    }
    if (ids === undefined) return null;
    if (requested !== null) {
      return ids.find((id) => id.source.unpinnedKey === requested.unpinnedKey) ?? null;
    }
    // Version 1 leaves out only the sources of path packages, so these come first.
    const [path, anotherPath] = ids.filter((id) => id.source.kind === 'path');
    if (path !== undefined) return anotherPath === undefined ? path : null;
    const [only, another] = ids;
    if (only === undefined || another !== undefined) return null;
    this.#raiseVersion();
    return only;
  }

  /**
   * Raises version 1 to 2, for checksums in packages and references without version or source, which only newer files
   * have.
   */
  #raiseVersion(): void {
    if (this.#version === 1) this.#version = 2;
  }

  /** Returns the checksums in packages and in `[metadata]`, and the rest of that table. */
  #checksums(): {
    readonly checksums: ReadonlyMap<string, string>;
    readonly withoutChecksum: ReadonlySet<string>;
    readonly metadata: ReadonlyMap<string, string>;
  } {
    const checksums = new Map<string, string>();
    const withoutChecksum = new Set<string>();
    const metadata = new Map<string, string>();
    for (const { id, raw } of this.#packages) if (raw.checksum !== null) checksums.set(id.key, raw.checksum);
    for (const [key, value] of this.#raw.metadata) {
      if (!key.startsWith(CHECKSUM_KEY)) {
        metadata.set(key, value);
        continue;
      }
      const id = withContext('invalid encoding of checksum in lockfile', () =>
        this.#resolve(key.slice(CHECKSUM_KEY.length)),
      );
      if (id === null) continue;
      if (value === NO_CHECKSUM) withoutChecksum.add(id.key);
      else checksums.set(id.key, value);
    }
    const isMixed = this.#version >= 2 && metadata.size < this.#raw.metadata.size;
    // Checksums in both forms are ambiguous. All of them are dropped and determined again.
    return isMixed
      ? { checksums: new Map(), withoutChecksum: new Set(), metadata }
      : { checksums, withoutChecksum, metadata };
  }
}

/**
 * Decodes a file. Sources and references are part of its syntax: an invalid one is reported before anything else, with
 * its place.
 */
function decodeChecked(text: string): RawLockfile {
  // Not the table of the run: its sources get their names and spellings from path packages first, which are read later.
  const sources = new SourceTable();
  const validSources = new Set<string>();
  const checkSource = (source: string): void => {
    if (validSources.has(source)) return;
    parseSourceUrl(source, sources);
    validSources.add(source);
  };
  const checkReference = (reference: string): void => {
    const { source } = splitReference(reference);
    if (source !== null) checkSource(source);
  };
  return decodeRawLockfile(text, {
    source: asTextCheck(checkSource),
    reference: asTextCheck(checkReference),
  });
}

/** Turns a check that throws into one that returns the message of its error. */
function asTextCheck(check: (text: string) => void): TextCheck {
  return (text) => {
    try {
      check(text);
      return null;
    } catch (error) {
      if (error instanceof TsregError) return error.message;
      throw error;
    }
  };
}

/** Checks the `version` key, which files of versions 1 and 2 do not have. */
function knownVersion(version: number | null): LockfileVersion {
  if (version === null) return 1;
  if (version === 3 || version === 4) return version;
  throw new TsregError(
    new Wording(
      `this version of tsreg does not know lock file version ${version}; update tsreg`,
      `lock file version \`${version}\` was found, but this version of Cargo does not understand this lock file, perhaps Cargo needs to be updated?`,
    ),
    { code: 'lockfile' },
  );
}

function lockedVersion(text: string): Version {
  try {
    return parseVersion(text);
  } catch (error) {
    if (error instanceof VersionParseError) throw new TsregError(error.message, { code: 'lockfile' });
    throw error;
  }
}

/** Splits `name`, `name version` or `name version (source)`. Throws `lockfile` for other text. */
function splitReference(text: string): {
  readonly name: string;
  readonly version: string | null;
  readonly source: string | null;
} {
  const nameEnd = text.indexOf(' ');
  if (nameEnd === -1) return { name: text, version: null, source: null };
  const name = text.slice(0, nameEnd);
  const versionEnd = text.indexOf(' ', nameEnd + 1);
  if (versionEnd === -1) return { name, version: text.slice(nameEnd + 1), source: null };
  const version = text.slice(nameEnd + 1, versionEnd);
  const source = text.slice(versionEnd + 1);
  if (source.startsWith('(') && source.endsWith(')')) return { name, version, source: source.slice(1, -1) };
  // The misspelling is cargo's.
  throw new TsregError('invalid serialied PackageId', { code: 'lockfile' });
}
