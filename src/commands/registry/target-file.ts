/** The configuration file that `registry add` and `registry remove` edit. */
import type { Config } from '../../io/config/config.ts';
import { findNamedFile } from '../../io/config/discover-files.ts';
import { parseConfigText } from '../../io/config/parse-text.ts';
import { NodeFiles } from '../../io/disk/node-files.ts';
import { findManifest } from '../../io/workspace/find-manifest.ts';
import { ManifestLoader } from '../../io/workspace/manifest-loader.ts';
import { TsregError, withContext } from '../../core/errors/error.ts';
import { joinPath, parentFolder } from '../../core/files/path.ts';
import { SourceTable } from '../../core/package-id/source-table.ts';
import type { TomlTable } from '../../core/toml/value.ts';

/**
 * Returns the absolute path of the file: in `CARGO_HOME` if `isGlobal`, else in the root of the workspace, or in the
 * working folder if there is no workspace. It need not exist. Throws if a manifest is invalid, and `config` if tsreg
 * would ignore the file.
 */
export function targetFile(config: Config, { isGlobal }: { readonly isGlobal: boolean }): string {
  const folder = isGlobal ? config.home : joinPath(projectFolder(config), '.cargo');
  const { files } = config;
  const path = findNamedFile(folder, 'config', { files, report: null }) ?? joinPath(folder, 'config.toml');
  if (isGlobal || config.projectFiles === 'trusted') return path;
  throw new TsregError(`tsreg does not read registries in \`${path}\`, because of \`TSREG_PROJECT_CONFIG\``, {
    code: 'config',
    hint: 'pass `--global` to edit the configuration in `CARGO_HOME`',
  });
}

/** Returns the tables of a configuration file, without its includes; empty if it does not exist. */
export function readTables(path: string, config: Config): TomlTable {
  const bytes = withContext(`failed to read configuration file \`${path}\``, () => config.files.read(path));
  if (bytes === null) return new Map();
  return withContext(`could not parse TOML configuration in \`${path}\``, () =>
    parseConfigText(new TextDecoder().decode(bytes), { hidesValues: true }),
  );
}

function projectFolder({ cwd, home }: Config): string {
  const files = new NodeFiles();
  const sources = new SourceTable();
  // The manifests may name registries that do not exist yet.
  const loader = new ManifestLoader({ files, sources, cargoHome: home, registry: () => sources.cratesIo() });
  const manifest = nearestManifest(cwd, files);
  return manifest === null ? cwd : parentFolder(loader.findRoot(manifest) ?? manifest);
}

function nearestManifest(cwd: string, files: NodeFiles): string | null {
  try {
    return findManifest(cwd, files);
  } catch (error) {
    if (error instanceof TsregError && error.code === 'not-found') return null;
    throw error;
  }
}
