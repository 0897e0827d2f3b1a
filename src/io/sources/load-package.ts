/** Reads manifests for sources. */
import { TsregError } from '../../core/errors/error.ts';
import { joinPath } from '../../core/files/path.ts';
import type { Manifest, PackageManifest } from '../../core/manifest/manifest.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';

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
