/** Writes local registries. Cargo Book: Source Replacement, Local Registry Sources. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyFileAtomic } from '../disk/copy-file.ts';
import { osError } from '../disk/errno.ts';
import { acquireFileLock, type FileLock, type LockContext, NO_LOCKING } from '../disk/file-lock.ts';
import { createFolders } from '../disk/make-folders.ts';
import { writeFileAtomic } from '../disk/write-file-atomic.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import { encodeIndexLine } from '../../core/protocol/encode-index-line.ts';
import { indexPath } from '../../core/protocol/index-path.ts';
import type { Summary } from '../../core/summary/summary.ts';
import { crateFileName } from './crate-file.ts';
import type { RegistryOverlay } from './overlay-source.ts';

/** The folder of a local registry, and the registries that its index refers to. */
export interface LocalRegistryOptions {
  /** Absolute; created if it does not exist. */
  readonly folder: string;
  /** The registry that the packages will be published to, as in `RegistryOverlay`. */
  readonly registry: SourceId;
  /** The default registry of dependencies: crates.io. */
  readonly cratesIo: SourceId;
}

/** A new package and its archive. */
export interface PackageWithArchive {
  /** From the prepared manifest. */
  readonly summary: Summary;
  /** `[features]` of the prepared manifest, as written. */
  readonly features: ReadonlyMap<string, readonly string[]>;
  readonly archive: {
    /** Absolute. */
    readonly path: string;
    /** In hexadecimal. */
    readonly sha256: string;
  };
}

/** A local registry that belongs to this process until it is closed. */
export interface LocalRegistryWriter {
  /** Releases the lock on the registry. */
  readonly close: () => void;
  /** The argument of `catalog.fork` that adds its packages. */
  readonly overlay: RegistryOverlay;
  /** Hex SHA-256 of each added package's `.crate`, by `name version`. */
  readonly checksums: ReadonlyMap<string, string>;
  /** Adds a package, replacing any other version. Throws with the path of a file that cannot be written. */
  add(newPackage: PackageWithArchive): Promise<void>;
}

/**
 * Opens a local registry for writing: waits until no other process writes it, and empties its index. Keeps the
 * archives. Throws with the path of a folder that cannot be created.
 */
export async function openLocalRegistry(
  options: LocalRegistryOptions,
  context: LockContext,
): Promise<LocalRegistryWriter> {
  const { folder, registry } = options;
  createFolders(folder);
  const lock = await acquireFileLock(
    join(folder, '.cargo-lock'),
    { mode: 'exclusive', description: 'temporary registry' },
    context,
  );
  try {
    emptyIndex(folder);
  } catch (error) {
    release(lock);
    throw error;
  }
  const checksums = new Map<string, string>();
  return {
    overlay: { registry, folder },
    checksums,
    add: async ({ summary, features, archive }) => {
      const { name, version } = summary.id;
      await copyFileAtomic(archive.path, join(folder, crateFileName(summary.id)), context.signal);
      checksums.set(`${name} ${version.text}`, archive.sha256);
      const line = encodeIndexLine({ summary, features, checksum: archive.sha256 }, options);
      await writeIndexFile(join(folder, 'index', indexPath(name)), line);
    },
    close: () => release(lock),
  };
}

function release(lock: FileLock | typeof NO_LOCKING): void {
  if (lock !== NO_LOCKING) lock.release();
}

/** Removes the index, and creates an empty one. */
function emptyIndex(folder: string): void {
  const index = join(folder, 'index');
  try {
    rmSync(index, { recursive: true, force: true });
  } catch (error) {
    throw new TsregError(`failed to remove directory \`${index}\``, { cause: osError(error) });
  }
  createFolders(index);
}

async function writeIndexFile(path: string, content: string): Promise<void> {
  try {
    await writeFileAtomic(path, content, { durable: false });
  } catch (error) {
    throw new TsregError(`failed to open: ${path}`, { cause: osError(error) });
  }
}
