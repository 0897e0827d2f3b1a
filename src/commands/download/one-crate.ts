/** One crate of a registry: its versions, its `.crate` file, or its content in a folder of any name. */
import { NodeFiles } from '../../io/disk/node-files.ts';
import { isTaken } from '../../io/disk/stats.ts';
import { extractCrate } from '../../io/sources/extract-crate.ts';
import { packageDirName } from '../../io/sources/crate-file.ts';
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { PackageIdSpec } from '../../core/package-id/package-id-spec.ts';
import { type IndexedVersion, indexedVersionOf } from '../../core/protocol/indexed-version.ts';
import type { OperationContext } from '../../core/report/report.ts';
import type { Summary } from '../../core/summary/summary.ts';
import {
  parseCrateSpec,
  readVerifiedCrate,
  RegistryCrates,
  type RegistryCratesOptions,
} from '../shared/registry/registry-crates.ts';

/** The crate, and the registry to use. */
export interface OneCrateOptions extends RegistryCratesOptions {
  /** `name`, `name@version` or `name@=version`, where the version may have only its first numbers. */
  readonly spec: string;
}

/** A version of a crate, and its verified `.crate`. */
export interface DownloadedCrate {
  readonly version: IndexedVersion;
  readonly bytes: Uint8Array;
}

/** Returns all versions of the crate `spec`, highest first. Throws `usage` if `spec` contains a version. */
export async function crateVersions(
  options: OneCrateOptions,
  context: OperationContext,
): Promise<readonly IndexedVersion[]> {
  const spec = parseCrateSpec(options.spec);
  if (spec.version !== null) {
    const message = `\`${options.spec}\` names a version: expected only the name, \`${spec.name}\``;
    throw new TsregError(message, { code: 'usage' });
  }
  const versions = await new RegistryCrates(options, context).versions(spec);
  return versions.map(indexedVersionOf);
}

/** Returns the version that `RegistryCrates.choose` selects. Downloads nothing. */
export async function crateVersion(
  options: OneCrateOptions,
  context: OperationContext,
): Promise<IndexedVersion> {
  const spec = exactSpec(options.spec);
  const [chosen] = await new RegistryCrates(options, context).choose([spec]);
  return indexedVersionOf(present(chosen, 'the chosen version'));
}

/** Downloads a `.crate` to the package cache, unless it is there, and verifies its checksum. */
export async function downloadCrate(
  options: OneCrateOptions,
  context: OperationContext,
): Promise<DownloadedCrate> {
  const { summary, bytes } = await fetchCrate(options, context);
  return { version: indexedVersionOf(summary), bytes };
}

/**
 * Downloads a crate and writes its files into `folder`, without the folder around them in the `.crate`. Throws `io`
 * before the download if `folder` exists and is not empty.
 */
export async function extractToFolder(
  { folder, ...options }: OneCrateOptions & { readonly folder: string },
  context: OperationContext,
): Promise<IndexedVersion> {
  requireEmpty(folder);
  const { summary, bytes } = await fetchCrate(options, context);
  context.signal.throwIfAborted();
  extractCrate(bytes, { root: folder, dirName: packageDirName(summary.id) });
  return indexedVersionOf(summary);
}

async function fetchCrate(
  options: OneCrateOptions,
  context: OperationContext,
): Promise<{ readonly summary: Summary; readonly bytes: Uint8Array }> {
  const spec = exactSpec(options.spec);
  const registry = new RegistryCrates(options, context);
  const summary = present((await registry.choose([spec]))[0], 'the chosen version');
  const [cached] = await registry.fetch([summary]);
  return { summary, bytes: readVerifiedCrate(present(cached, 'the fetched crate')) };
}

/** Parses a specification. As a requirement, `=1.2` means the same as the numbers alone do here: any 1.2. */
function exactSpec(text: string): PackageIdSpec {
  return parseCrateSpec(text.replace(/^([^@]*@)=/, '$1'));
}

function requireEmpty(folder: string): void {
  if (!isTaken(folder) || new NodeFiles().list(folder)?.length === 0) return;
  throw new TsregError(`\`${folder}\` already exists`, {
    code: 'io',
    hint: 'remove it, or name a folder that is empty or does not exist',
  });
}
