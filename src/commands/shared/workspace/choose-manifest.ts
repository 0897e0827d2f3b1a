/** Selects the manifest of a command. Cargo Book: cargo metadata, --manifest-path. */
import type { Config } from '../../../io/config/config.ts';
import type { Files } from '../../../core/files/files.ts';
import { findManifest, resolveManifestPath } from '../../../io/workspace/find-manifest.ts';

/** Returns the absolute path of the manifest at `typed`, or of the nearest one if it is null. */
export function chooseManifest(typed: string | null, config: Config, files: Files): string {
  return typed === null ? findManifest(config.cwd, files) : resolveManifestPath(typed, config.cwd, files);
}
