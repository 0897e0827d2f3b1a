/** Reads manifests for sources. */
import { TsregError, withContext } from '../../core/errors/error.ts';
import { joinPath } from '../../core/files/path.ts';
import type { Manifest, PackageManifest } from '../../core/manifest/manifest.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import { withReplaced } from './replacement-context.ts';
import type { FetchedPackage, Source } from './source.ts';

/**
 * Reads the `Cargo.toml` at an absolute path as that of a package from `source`. Its path dependencies have the same
 * source, unless that is a path source. Throws with cargo's error chain.
 */
export type LoadManifest = (path: string, source: SourceId) => Manifest;

/** Reads the manifest of a package's folder. Throws `manifest` if it is a virtual manifest. */
export function loadPackage(folder: string, source: SourceId, load: LoadManifest): PackageManifest {
  const path = joinPath(folder, 'Cargo.toml');
  const manifest = load(path, source);
  if (manifest.kind === 'package') return manifest;
  throw new TsregError(`found a virtual manifest at \`${path}\` instead of a package manifest`, {
    code: 'manifest',
  });
}

/** How to load fetched packages. */
export interface LoadFetchedOptions {
  readonly load: LoadManifest;
  /** Returns an opened source. May throw. */
  readonly sourceOf: (source: SourceId) => Source;
}

/** Returns the manifest of a fetched package. Throws with cargo's error chain. */
export function loadFetchedPackage(
  fetched: FetchedPackage,
  { load, sourceOf }: LoadFetchedOptions,
): PackageManifest {
  if (fetched.manifest !== undefined) return fetched.manifest;
  const { id, root } = fetched;
  const loadFromRoot = (): PackageManifest =>
    withReplaced('download', sourceOf(id.source), () => {
      const manifest = loadPackage(root, id.source, load);
      if (manifest.summary.id.key === id.key) return manifest;
      throw new TsregError(`failed to find ${describePackage(id)} in path source`, {
        code: 'source',
        isInternal: true,
      });
    });
  if (fetched.wasDownloaded === true) return loadFromRoot();
  return withContext(
    () => `failed to download \`${describePackage(id)}\``,
    () => withContext('unable to get packages from source', loadFromRoot),
  );
}
