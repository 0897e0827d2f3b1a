/** `[patch]` in configuration. Cargo Book: Configuration, `[patch]`. */
import type { Config } from '../config/config.ts';
import {
  boolean,
  type Decoder,
  list,
  located,
  map,
  oneOf,
  optional,
  string,
  stringItem,
  struct,
} from '../config/decoder.ts';
import { describeDefinition, type Located, resolveLocatedPath } from '../config/definition.ts';
import { compareBytes } from '../../core/files/compare-bytes.ts';
import { registryIndex, registryIndexUrl } from '../config/registry-index.ts';
import { present } from '../../core/errors/assert.ts';
import { TsregError, withContext } from '../../core/errors/error.ts';
import { buildDependency } from '../../core/manifest/build-dependency.ts';
import type { Patch } from '../../core/manifest/manifest.ts';
import { DEPENDENCY_FORMS, type RawDependency, WORKSPACE_NOTE } from '../../core/manifest/raw-dependency.ts';
import { CRATES_IO_NAME } from '../../core/package-id/crates-io.ts';
import { parsePatchedUrl, type PatchedUrl, patchedUrlOf } from '../../core/package-id/patched-url.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import type { SourceTable } from '../../core/package-id/source-table.ts';
import type { Report } from '../../core/report/report.ts';
import { ParseCache } from '../../core/summary/parse-cache.ts';

/** A patch with several keys, as written. */
interface DetailedPatch {
  readonly version: string | null;
  readonly registry: string | null;
  readonly 'registry-index': string | null;
  readonly path: Located<string> | null;
  readonly git: string | null;
  readonly branch: string | null;
  readonly tag: string | null;
  readonly rev: string | null;
  readonly package: string | null;
  readonly features: readonly Located<string>[] | null;
  readonly 'default-features': boolean | null;
  readonly default_features: boolean | null;
  readonly optional: boolean | null;
}

const DETAILED_PATCH: Decoder<DetailedPatch> = struct<DetailedPatch>(
  {
    version: string,
    registry: string,
    'registry-index': string,
    path: located(string),
    git: string,
    branch: string,
    tag: string,
    rev: string,
    package: string,
    features: list(stringItem),
    'default-features': boolean,
    default_features: boolean,
    optional: boolean,
  },
  { ignoresUnknown: true },
);

/** Rejects `true` with cargo's message for it. `false` has the wrong type like any other value. */
const refuseTrue: Decoder<never> = () => {
  throw new TsregError(`invalid type: boolean \`true\`, expected ${DEPENDENCY_FORMS}\n${WORKSPACE_NOTE}`, {
    code: 'config',
  });
};

/** Reads the patches by URL or registry name, and by name. */
const PATCH_TABLES = optional(
  map(
    map(
      located(
        oneOf<string | DetailedPatch>(DEPENDENCY_FORMS, (value) => {
          if (value.type === 'string') return string;
          if (value.type === 'table') return DETAILED_PATCH;
          return value.type === 'boolean' && value.value ? refuseTrue : null;
        }),
      ),
    ),
  ),
);

/** The context of reading patches. */
export interface PatchContext {
  readonly config: Config;
  readonly sources: SourceTable;
  readonly report: Report;
}

/**
 * Returns the patches of a workspace, by URL: those of the configuration, then those of the root manifest whose names
 * the configuration does not have. `root` is the absolute folder of the root manifest. Throws with cargo's message if
 * the configuration is invalid.
 */
export function addConfigPatches(
  fromManifest: readonly Patch[],
  root: string,
  context: PatchContext,
): readonly Patch[] {
  const patches = readConfigPatches(root, context);
  if (patches.size === 0) return fromManifest;
  for (const url of new Set(fromManifest.map(({ source }) => source.url))) {
    const manifestPatches = fromManifest.filter(({ source }) => source.url === url);
    const configPatches = patches.get(url) ?? [];
    patches.set(url, [...configPatches, ...withoutNamed(manifestPatches, configPatches)]);
  }
  return Array.from(patches.values()).flat();
}

/**
 * Removes the patches that have the name of one of `replacements`. Orders the others like cargo, which moves the last
 * patch to the place of a removed one.
 */
function withoutNamed(patches: readonly Patch[], replacements: readonly Patch[]): readonly Patch[] {
  const remaining = [...patches];
  for (const { dependency } of replacements) {
    const position = remaining.findIndex((patch) => patch.dependency.nameInToml === dependency.nameInToml);
    if (position === -1) continue;
    const last = present(remaining.pop(), 'a patch');
    if (position < remaining.length) remaining[position] = last;
  }
  return remaining;
}

/** Reads the patches by URL. If several keys mean the same URL, the last one counts. */
function readConfigPatches(
  root: string,
  { config, sources, report }: PatchContext,
): Map<string, readonly Patch[]> {
  const warnings: string[] = [];
  const patches = new Map<string, readonly Patch[]>();
  const registry = (name: string): SourceId => registryIndex(config, name, sources);
  const parsed = new ParseCache();
  for (const [key, entries] of sortedByName(config.get('patch', PATCH_TABLES))) {
    const source = patchedUrl(key, config, sources);
    const patchesOfSource: Patch[] = [];
    for (const [name, { value, definition }] of sortedByName(entries)) {
      const dependency = buildDependency(toRaw(value, config), name, {
        root,
        source: sources.forPath(root),
        sources,
        registry,
        parsed,
        warnings,
        kind: 'normal',
        platform: null,
      });
      patchesOfSource.push({ source, dependency, definedIn: describeDefinition(definition) });
    }
    patches.set(source.url, patchesOfSource);
  }
  for (const warning of warnings) report.warning(`[patch] in cargo config: ${warning}`);
  return patches;
}

function sortedByName<T>(table: ReadonlyMap<string, T> | null): readonly (readonly [string, T])[] {
  return Array.from(table ?? []).sort(([a], [b]) => compareBytes(a, b));
}

/**
 * Returns the URL that a key of `[patch]` means: a registry name, or else a URL. Throws cargo's error if it is neither.
 */
function patchedUrl(key: string, config: Config, sources: SourceTable): PatchedUrl {
  if (key === CRATES_IO_NAME) return patchedUrlOf(sources.cratesIo());
  try {
    return parsePatchedUrl(registryIndexUrl(config, key));
  } catch {
    // It is no name of a registry with a valid index.
    return withContext(`[patch] entry \`${key}\` should be a URL or registry name`, () =>
      parsePatchedUrl(key),
    );
  }
}

/** Returns the entry in the form of a manifest, with an absolute path. */
function toRaw(patch: string | DetailedPatch, config: Config): RawDependency {
  if (typeof patch === 'string') return patch;
  const { version, git, branch, tag, rev, path, features, registry } = patch;
  const indexUrl = patch['registry-index'];
  const defaultFeatures = patch['default-features'] ?? patch.default_features;
  return {
    ...(version === null ? {} : { version }),
    ...(registry === null ? {} : { registry }),
    ...(indexUrl === null ? {} : { 'registry-index': indexUrl }),
    ...(path === null ? {} : { path: resolveLocatedPath(path, config.cwd) }),
    ...(git === null ? {} : { git }),
    ...(branch === null ? {} : { branch }),
    ...(tag === null ? {} : { tag }),
    ...(rev === null ? {} : { rev }),
    ...(patch.package === null ? {} : { package: patch.package }),
    ...(features === null ? {} : { features: features.map(({ value }) => value) }),
    ...(defaultFeatures === null ? {} : { 'default-features': defaultFeatures }),
    ...(patch.optional === null ? {} : { optional: patch.optional }),
  };
}
