/** Configured registries. Cargo Book: Configuration, `[registry]` and `[registries]`. */
import type { SourceId } from '../../core/package-id/source-id.ts';
import { canonicalizeUrl, parseUrl } from '../../core/package-id/url.ts';
import type { Config } from './config.ts';
import { list, located, string, stringItem, struct, words } from './decoder.ts';

const TEXT = located(string);

/** Keys of both tables. */
const COMMON_KEYS = {
  index: string,
  token: TEXT,
  'credential-provider': located(words),
  'secret-key': TEXT,
  'secret-key-subject': string,
  'min-publish-age': string,
};

/** Reads `[registries.NAME]`. */
export const REGISTRY_TABLE = struct({ ...COMMON_KEYS, protocol: string });

/** Reads `[registry]`. cargo ignores `min-publish-age` in it. */
export const DEFAULT_REGISTRY_TABLE = struct({
  ...COMMON_KEYS,
  'global-min-publish-age': string,
  default: string,
  'global-credential-providers': list(stringItem),
});

/** Returns the sorted names of a registry, found by its index: those in variables, else those in files. */
export function namesOfRegistry(config: Config, source: SourceId): readonly string[] {
  const fromVariables = namesInVariables(config, source);
  return (fromVariables.length > 0 ? fromVariables : namesInTables(config, source)).toSorted();
}

/**
 * Returns the names of the registries in files, `--config` and variables. Names in variables are in upper case, with `_`
 * for `-`: one that is not in a file counts as lower case with `-`. Cargo Book: Configuration, Environment variables.
 */
export function registryNames(config: Config): readonly string[] {
  const configured = [...(config.table('registries')?.keys() ?? [])];
  const spellings = new Set(configured.map((name) => name.toLowerCase().replaceAll('-', '_')));
  const fromVariables = Object.keys(config.env).flatMap((variable) => {
    const name = /^CARGO_REGISTRIES_(\w+)_INDEX$/.exec(variable)?.[1]?.toLowerCase();
    return name === undefined || spellings.has(name) ? [] : [name.replaceAll('_', '-')];
  });
  return [...configured, ...fromVariables];
}

function namesInVariables({ env }: Config, source: SourceId): readonly string[] {
  return Object.entries(env).flatMap(([variable, value]) => {
    const name = /^CARGO_REGISTRIES_(.*)_INDEX$/.exec(variable)?.[1];
    return name !== undefined && value !== undefined && isIndexOf(value, source) ? [name.toLowerCase()] : [];
  });
}

/** Returns names in files and `--config`. Ignores the credentials file, which does not define registries. */
function namesInTables(config: Config, source: SourceId): readonly string[] {
  const names: string[] = [];
  const registries = config.values().get('registries');
  if (registries?.type !== 'table') return names;
  for (const [name, registry] of registries.value) {
    const index = registry.type === 'table' ? registry.value.get('index') : undefined;
    if (index?.type === 'string' && isIndexOf(index.value, source)) names.push(name);
  }
  return names;
}

function isIndexOf(text: string, source: SourceId): boolean {
  try {
    return canonicalizeUrl(parseUrl(text)) === source.canonicalUrl;
  } catch {
    return false;
  }
}
