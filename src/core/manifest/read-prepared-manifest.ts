/** Packages from prepared manifests. Cargo Book: cargo package. */
import { TsregError } from '../errors/error.ts';
import type { Files } from '../files/files.ts';
import { parentFolder } from '../files/path.ts';
import { ParseCache } from '../summary/parse-cache.ts';
import { buildPackage } from './build-package.ts';
import type { PackageManifest } from './manifest.ts';
import type { ManifestOrigin } from './manifest-draft.ts';
import { manifestProblem } from './manifest-problem.ts';
import { readRawManifest } from './read-raw-manifest.ts';

/** Inputs for reading a prepared manifest. `path` and `source` are those of the original package. */
export interface ReadPreparedOptions extends ManifestOrigin {
  /** The files of the package. Discovery finds targets there, which manifests by older releases of cargo need. */
  readonly files?: Files;
}

/**
 * Reads a manifest that `prepareManifest` wrote, or the manifest of any archive. The package has no workspace, and only
 * the given files are read. Throws in cargo's words, without the path, if an omitted part is necessary: if no target is
 * left, if `links` has no build script, and the like. Throws as `readRawManifest` does for text of another form.
 */
export function readPreparedManifest(text: string, options: ReadPreparedOptions): PackageManifest {
  const { path, source, sources, registry, files = NO_FILES } = options;
  // cargo writes optimization levels that it cannot read.
  const { raw, unusedKeys } = readRawManifest(text, path, { ignored: 'profile' });
  const rawPackage = raw.package ?? raw.project;
  if (rawPackage === undefined) throw manifestProblem('the manifest has no `[package]`');
  return buildPackage(rawPackage, {
    path,
    text,
    raw,
    unusedKeys,
    workspace: { kind: 'member', root: null },
    files,
    inheritFrom: noWorkspace,
    scope: { root: parentFolder(path), source, sources, registry, parsed: new ParseCache(), warnings: [] },
  });
}

const NO_FILES: Files = { read: () => null, list: () => null, kind: () => null, exists: () => false };

function noWorkspace(): never {
  throw new TsregError('failed to find a workspace root', { code: 'workspace' });
}
