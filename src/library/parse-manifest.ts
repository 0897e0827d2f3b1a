/** The text of a `Cargo.toml` as plain data. Cargo Book: The Manifest Format. */
import { isAbsolute } from 'node:path';
import { TsregError, withContext } from '../core/errors/error.ts';
import { joinPath, normalizePath, parentFolder } from '../core/files/path.ts';
import type { InheritanceRoot } from '../core/manifest/inheritable-fields.ts';
import type { RawManifest, RawWorkspace } from '../core/manifest/raw-manifest.ts';
import { readRawManifest } from '../core/manifest/read-raw-manifest.ts';
import type { CargoManifest } from './cargo-manifest.ts';
import { ManifestReader } from './manifest-reader.ts';
import { checkOptions, required, TEXT } from './option-checks.ts';

/** Options of `parseManifest`. */
export interface ParseManifestOptions {
  /** The text of the workspace's root manifest, which members may inherit from. */
  readonly workspace?: string | undefined;
  /**
   * Path of the manifest relative to the folder of the workspace; `Cargo.toml` by default. Errors contain it, and
   * inherited paths depend on it.
   */
  readonly path?: string | undefined;
}

/** Stands for the unknown folder of the workspace. */
const ROOT = '/workspace';

/**
 * Parses the text of a `Cargo.toml`. Reads no files, so it neither discovers targets nor checks paths. Ignores
 * `[profile]`, `[patch]` and targets. Throws a `TsregError` with the code `toml` or `manifest` if the text is invalid,
 * and `workspace` if a member inherits and the option `workspace` is missing.
 */
export function parseManifest(text: string, options: ParseManifestOptions = {}): CargoManifest {
  checkOptions({ text }, { text: required(TEXT) });
  checkOptions(options, { workspace: TEXT, path: TEXT });
  const { workspace, path = 'Cargo.toml' } = options;
  if (isAbsolute(path)) throw new TsregError(`\`path\` must be relative, not \`${path}\``, { code: 'usage' });
  const raw = rawManifestOf(text, path);
  return withContext(
    () => `failed to parse manifest at \`${path}\``,
    () => {
      const root = parentFolder(normalizePath(joinPath(ROOT, path)));
      const inherit = (): InheritanceRoot =>
        raw.workspace === undefined ? sharedRoot(workspace) : inheritanceRoot(root, raw.workspace);
      return new ManifestReader(root, inherit).read(raw);
    },
  );
}

/** Returns the root that a member inherits from. Throws `workspace` if its text is missing or describes no workspace. */
function sharedRoot(text: string | undefined): InheritanceRoot {
  if (text === undefined) {
    const hint = 'pass the text of that manifest as the option `workspace`';
    throw new TsregError('the root manifest of the workspace is unknown', { code: 'workspace', hint });
  }
  const { workspace } = rawManifestOf(text, 'Cargo.toml');
  if (workspace !== undefined) return inheritanceRoot(ROOT, workspace);
  throw new TsregError('the manifest in `workspace` has no `[workspace]`', { code: 'workspace' });
}

function inheritanceRoot(folder: string, raw: RawWorkspace): InheritanceRoot {
  const { package: fields = null, dependencies = null, lints = null } = raw;
  return { folder, config: { inheritable: { package: fields, dependencies, lints } } };
}

function rawManifestOf(text: string, path: string): RawManifest {
  // cargo writes optimization levels that it does not accept into the manifests of published packages.
  return readRawManifest(text, path, { ignored: 'profile' }).raw;
}
