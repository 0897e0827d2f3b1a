/** Which manifest a command is about. Cargo Book: cargo metadata, --manifest-path. */
import type { Config } from '../../config/config.ts';
import type { Files } from '../../files/files.ts';
import { findManifest, resolveManifestPath } from '../../workspace/find-manifest.ts';

/** Absolute path of the manifest that a command is about: the one that was typed, or the nearest. */
export function chooseManifest(typed: string | null, config: Config, files: Files): string {
  return typed === null ? findManifest(config.cwd, files) : resolveManifestPath(typed, config.cwd, files);
}
