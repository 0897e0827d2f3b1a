/** A release of one existing archive. */
import { ArchiveFiles } from '../../io/archive/archive-files.ts';
import { inspectCrate } from '../../io/archive/inspect-crate.ts';
import { inflateGzip } from '../../io/archive/inflate-gzip.ts';
import { readTar } from '../../io/archive/read-tar.ts';
import type { Config } from '../../io/config/config.ts';
import { registryIndex } from '../../io/config/registry-index.ts';
import { osError } from '../../io/disk/errno.ts';
import { NodeFiles } from '../../io/disk/node-files.ts';
import { PackageCache } from '../../io/disk/package-cache.ts';
import { TsregError, withContext } from '../../core/errors/error.ts';
import { fileName, joinPath, parentFolder } from '../../core/files/path.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import {
  readPreparedManifest,
  type ReadPreparedOptions,
} from '../../core/manifest/read-prepared-manifest.ts';
import { SourceTable } from '../../core/package-id/source-table.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { packageDirName } from '../../io/sources/crate-file.ts';
import { ManifestLoader } from '../../io/workspace/manifest-loader.ts';
import { operationSignal } from '../shared/workspace/operation-signal.ts';
import { publishMetadata } from './metadata.ts';
import { MAX_UNPACKED_BYTES } from './checks.ts';
import { choosePublishRegistry, type Release, type ReleaseContent, unpublishableError } from './release.ts';
import { chooseRegistry, type RegistryFlags } from '../shared/registry/select-registry.ts';
import { sha256Hex } from '../../io/disk/sha256.ts';

/** An archive as given by the caller. */
export interface FileOptions {
  /** Path of the `.crate`, relative to the working folder, or its bytes. */
  readonly file: string | Uint8Array;
  readonly config: Config;
  readonly registry: RegistryFlags;
}

/** The most files of an archive, so that a hostile one does not exhaust the memory. */
const MAX_FILES = 100_000;

/** Returns the release of a `.crate`. All metadata comes from the archive. Rejects if it is not a valid package. */
export async function fileRelease(
  { file, config, registry: flags }: FileOptions,
  operation: OperationContext,
): Promise<Release> {
  const context = { ...operation, signal: operationSignal(operation.signal), env: config.env };
  const chosen = chooseRegistry(flags, config);
  const files = new NodeFiles();
  const sources = new SourceTable();
  const { bytes, path, problem, remark } = readInput(file, config.cwd, files);
  const crate = withContext(problem, () => inspectArchive(bytes, path));
  const registryOf = (table: SourceTable) => (name: string) => registryIndex(config, name, table);
  const readManifest = (table: SourceTable): PackageManifest =>
    withContext(problem, () => crateManifest(crate, { sources: table, registry: registryOf(table) }));
  // The first reading only finds out which registry the package is for.
  const draft = readManifest(new SourceTable());
  if (draft.publish?.length === 0) throw unpublishableError([draft]);
  const choice = choosePublishRegistry([draft], chosen, context.report);
  // The manifest names registries only by URL. Messages use the first name that `sources` knows, so the name in the
  // configuration must come before the manifest.
  if (choice?.kind === 'registry' && isConfigured(choice.name, config)) registryOf(sources)(choice.name);
  const manifest = readManifest(sources);
  const { text } = crate;
  const readme = readmeOf(manifest, crate);
  const registry = registryOf(sources);
  const loader = new ManifestLoader({ files, sources, cargoHome: config.home, registry });
  const { id } = manifest.summary;
  const content: ReleaseContent = {
    kind: 'archive',
    crate: {
      id,
      label: `${id.name} v${id.version.text}${remark}`,
      sha256: sha256Hex(bytes),
      isVerified: false,
      archive: () => bytes,
      metadata: (target) => publishMetadata(manifest, { text, readme, registry: target }),
    },
  };
  return {
    content,
    manifests: [manifest],
    unpublishable: [],
    choice,
    context,
    shared: {
      files,
      sources,
      cache: new PackageCache(config.home, context),
      load: (manifestPath, source) => loader.load(manifestPath, source),
    },
    order: new Map([[manifest, []]]),
  };
}

/** The bytes of an archive, and its names in messages. */
interface InputFile {
  readonly bytes: Uint8Array;
  /** Absolute path of the `.crate`. If the caller passed bytes, the name of that option in the working folder. */
  readonly path: string;
  /** The context of errors in the archive. */
  readonly problem: string;
  /** The text after the name of the package in status lines: the path, if there is one. */
  readonly remark: string;
}

/** Returns the archive. Throws `not-found` if `file` is a path without a file, and `io` if it cannot be read. */
function readInput(file: FileOptions['file'], cwd: string, files: NodeFiles): InputFile {
  const makeHint = '`tsreg package` makes one that can be published';
  if (typeof file !== 'string') {
    const problem = `failed to read the archive in \`file\`: ${makeHint}`;
    return { bytes: file, path: joinPath(cwd, 'file'), problem, remark: '' };
  }
  const path = joinPath(cwd, file);
  const problem = `failed to read the archive \`${path}\`: ${makeHint}`;
  const bytes = withContext(problem, () => readFile(path, files));
  if (bytes !== null) return { bytes, path, problem, remark: ` (${path})` };
  const hint =
    '`publish FILE` sends a `.crate` that `tsreg package` made; `publish -p NAME` sends a package of the workspace';
  throw new TsregError(`there is no file \`${path}\``, { code: 'not-found', hint });
}

function isConfigured(registry: string, config: Config): boolean {
  return config.string(`registries.${registry}.index`) !== null;
}

/** An archive that has passed the inspection. */
interface InspectedArchive {
  /** Path prefix of its files in messages: the archive and its top folder. */
  readonly root: string;
  readonly files: ArchiveFiles;
  /** Text of the manifest. */
  readonly text: string;
}

/** Inspects an archive. Throws `archive` if it is damaged, or if a registry would refuse its files. */
function inspectArchive(bytes: Uint8Array, path: string): InspectedArchive {
  const { data: tar, complete } = inflateGzip(bytes, MAX_UNPACKED_BYTES);
  if (!complete) throw archiveError('it is cut off');
  const entries = [...readTar(tar)];
  const topFolder = entries[0]?.path.replace(/\/.*/s, '') ?? '';
  // Applies the checks of a strict registry, except those for portable file names.
  const { manifest: text } = inspectCrate(bytes, {
    topFolder,
    maxUnpackedBytes: MAX_UNPACKED_BYTES,
    maxFiles: MAX_FILES,
    isPortable: false,
  });
  return { root: `${path}/${topFolder}`, files: new ArchiveFiles(entries, path), text };
}

/** Returns the manifest of an archive. Throws `archive` if it does not belong to the top folder. */
function crateManifest(
  { root, files, text }: InspectedArchive,
  { sources, registry }: Pick<ReadPreparedOptions, 'sources' | 'registry'>,
): PackageManifest {
  const source = sources.forPath(parentFolder(root));
  const manifest = readPreparedManifest(text, {
    path: `${root}/Cargo.toml`,
    source,
    sources,
    registry,
    files,
  });
  const folderName = packageDirName(manifest.summary.id);
  if (folderName === fileName(root)) return manifest;
  throw archiveError(`its manifest is that of \`${folderName}\`, but its folder has another name`);
}

/** Returns the text of the readme; null if the manifest names none, or if the archive does not contain it. */
function readmeOf({ readme }: PackageManifest, { root, files }: InspectedArchive): string | null {
  const bytes = readme === null ? null : files.read(`${root}/${readme}`);
  return bytes === null ? null : Buffer.from(bytes).toString('utf8');
}

function archiveError(message: string): TsregError {
  return new TsregError(message, { code: 'archive' });
}

/** Returns the bytes of a file; null if it does not exist. */
function readFile(path: string, files: NodeFiles): Uint8Array | null {
  try {
    return files.read(path);
  } catch (error) {
    throw osError(error);
  }
}
