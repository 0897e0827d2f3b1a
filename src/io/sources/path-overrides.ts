/** Folders whose packages replace all others of the same name. Cargo Book: Configuration, `paths`. */
import { expectedContainer } from '../config/config-error.ts';
import { configKey } from '../config/config-key.ts';
import { definitionRoot, describeDefinition, type Located } from '../config/definition.ts';
import { withContext } from '../../core/errors/error.ts';
import { joinPath, normalizePath } from '../../core/files/path.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { FolderPackages } from './folder-packages.ts';
import { FolderSource } from './folder-source.ts';
import type { OpenSources } from './open-sources.ts';
import { findPackages } from './package-walk.ts';
import type { SourceContext } from './source-context.ts';

/**
 * Returns the packages in these folders, by name; the first one of a name counts. Adds the folders to `sources`. Throws
 * with cargo's error chain.
 */
export function readPathOverrides(
  context: SourceContext,
  sources: OpenSources,
): ReadonlyMap<string, Summary> {
  const preloaded = new Set(context.preloaded?.map(({ key }) => key));
  const overrides = new Map<string, Summary>();
  for (const { folder, source, packages } of readFolders(context)) {
    // In the folder of a preloaded package, cargo finds only that package.
    const onlyPath = preloaded.has(source.key) ? joinPath(folder, 'Cargo.toml') : null;
    if (onlyPath === null) {
      sources.add(new FolderSource({ original: source, actual: source, read: () => packages }));
    }
    for (const name of packages.names) {
      const [summary] = packages.summaries(name);
      if (summary === undefined || overrides.has(name)) continue;
      const isOverride = onlyPath === null || packages.manifest(summary.id)?.path === onlyPath;
      if (isOverride) overrides.set(name, summary);
    }
  }
  return overrides;
}

/** One folder and its packages. */
interface OverrideFolder {
  readonly folder: string;
  readonly source: SourceId;
  readonly packages: FolderPackages;
}

/** Reads the folders, in the order of the configuration. */
function readFolders(context: SourceContext): readonly OverrideFolder[] {
  return configuredPaths(context).map(({ value, definition }) => {
    const folder = normalizePath(joinPath(definitionRoot(definition, context.config.cwd), value));
    const source = context.sources.forPath(folder);
    const place = describeDefinition(definition);
    return withContext(`failed to update path override \`${folder}\` (defined in \`${place}\`)`, () => ({
      folder,
      source,
      packages: findPackages(folder, source, context),
    }));
  });
}

/** Returns the list from files and `--config`; environment variables cannot set it. */
function configuredPaths({ config }: SourceContext): readonly Located<string>[] {
  const key = configKey('paths');
  const paths = config.value('paths');
  if (paths === null) return [];
  if (paths.type !== 'array') throw expectedContainer(key, 'list', paths);
  return paths.value.map((item) => {
    if (item.type !== 'string') throw expectedContainer(key, 'string', item);
    return { value: item.value, definition: item.definition };
  });
}
