/** The `.crate` of a crate in a registry: its bytes, or its files in a folder. */
import { resolve } from 'node:path';
import type { IndexedVersion } from '../core/protocol/indexed-version.ts';
import { downloadCrate, extractToFolder } from '../commands/download/one-crate.ts';
import { call } from './call.ts';
import { type CrateCallOptions, CRATE_CALL_CHECKS, crateOptions } from './crate-call.ts';
import { checkOptions, required, TEXT } from './option-checks.ts';

/** A version of a crate, and its `.crate`. */
export interface Tarball extends IndexedVersion {
  /** The `.crate`, whose checksum is verified. */
  readonly bytes: Uint8Array;
  /** Returns the same bytes as a new stream. */
  stream(): ReadableStream<Uint8Array>;
}

/** A version of a crate, and the folder with its files. */
export interface ExtractedCrate extends IndexedVersion {
  /** Absolute. */
  readonly path: string;
}

/**
 * Returns the `.crate` of the version that `manifest` returns for the same `spec`. Downloads it to `CARGO_HOME`, unless
 * it is there, and verifies its checksum. Rejects as `manifest` does.
 */
export async function tarball(spec: string, options: CrateCallOptions = {}): Promise<Tarball> {
  return call(options, CRATE_CALL_CHECKS, async (shared, context) => {
    const { version, bytes } = await downloadCrate({ ...shared, ...crateOptions(spec, options) }, context);
    return { ...version, bytes, stream: () => new Blob([bytes]).stream() };
  });
}

/**
 * Like `tarball`, but writes the files of the crate into the folder `dir`, which is absolute or relative to `cwd`. Creates
 * the folder and its parents, or replaces it if it is empty. It appears complete. Rejects with the code `io` if it exists
 * and is not empty, and otherwise as `manifest` does.
 */
export async function extract(
  spec: string,
  dir: string,
  options: CrateCallOptions = {},
): Promise<ExtractedCrate> {
  return call(options, CRATE_CALL_CHECKS, async (shared, context) => {
    checkOptions({ dir }, { dir: required(TEXT) });
    const path = resolve(shared.config.cwd, dir);
    const version = await extractToFolder(
      { ...shared, ...crateOptions(spec, options), folder: path },
      context,
    );
    return { ...version, path };
  });
}
