/** `[patch]` and `[replace]`. Cargo Book: Overriding Dependencies. */
import { TsregError, withContext } from '../errors/error.ts';
import { CRATES_IO_INDEX, CRATES_IO_NAME } from '../package-id/crates-io.ts';
import { formatPackageIdSpec, parsePackageIdSpec } from '../package-id/package-id-spec.ts';
import { parsePatchedUrl, type PatchedUrl, patchedUrlOf } from '../package-id/patched-url.ts';
import { parseVersion } from '../version/version.ts';
import { exactReq } from '../version/requirement.ts';
import { buildDependency } from './build-dependency.ts';
import type { BuildDependencyScope } from './build-dependency.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { Patch, Replacement } from './manifest.ts';
import { refuseBase } from './normalize-dependencies.ts';
import type { RawManifest } from './raw-manifest.ts';
import { warnAboutUnusedKeys } from './unused-keys.ts';

/** Overrides are built like normal dependencies. */
const PLACE = { kind: 'normal', platform: null } as const;

/** Throws `manifest` for patches with `base`, which cargo checks before everything else. */
export function checkPatchBases({ patch }: RawManifest): void {
  for (const [source, table] of patch ?? []) {
    for (const [name, dependency] of table) {
      if (typeof dependency === 'string' || dependency.base === undefined) continue;
      withContext(`resolving path for patch of (${name}) for source (${source})`, () =>
        refuseBase(dependency),
      );
    }
  }
}

/** Reads `[replace]`. Throws `manifest` for an invalid entry. */
export function buildReplacements(raw: RawManifest, scope: BuildDependencyScope): readonly Replacement[] {
  if (raw.patch !== undefined && raw.replace !== undefined) {
    throw manifestProblem('cannot specify both [replace] and [patch]');
  }
  const replacements: Replacement[] = [];
  for (const [text, written] of raw.replace ?? []) {
    const writtenSpec = withContext(
      `replacements must specify a valid semver version to replace, but \`${text}\` does not`,
      () => parsePackageIdSpec(text),
    );
    const spec = writtenSpec.url === null ? { ...writtenSpec, url: CRATES_IO_INDEX } : writtenSpec;
    if (typeof written === 'string' || written.version !== undefined) {
      throw manifestProblem(
        'replacements cannot specify a version requirement, ' +
          `but found one for \`${formatPackageIdSpec(spec)}\``,
      );
    }
    const dependency = buildDependency(written, spec.name, { ...scope, ...PLACE });
    const { version } = spec;
    if (version === null || version.minor === null || version.patch === null) {
      throw manifestProblem(
        `replacements must specify a version to replace, but \`${formatPackageIdSpec(spec)}\` does not`,
      );
    }
    warnAboutUnusedKeys('replace', dependency.nameInToml, written, scope.warnings);
    replacements.push({
      spec: formatPackageIdSpec(spec),
      dependency: { ...dependency, req: exactReq(parseVersion(version.text)) },
    });
  }
  return replacements;
}

/** Reads `[patch]`. `path` is the path of the manifest. If several keys have the same URL, the last one counts. */
export function buildPatches(raw: RawManifest, path: string, scope: BuildDependencyScope): readonly Patch[] {
  const patches = new Map<string, readonly Patch[]>();
  for (const [key, table] of raw.patch ?? []) {
    const entries: Patch[] = [];
    const source = key === CRATES_IO_NAME ? parsePatchedUrl(CRATES_IO_INDEX) : patchedUrl(key, scope);
    for (const [name, written] of table) {
      warnAboutUnusedKeys(`patch.${key}`, name, written, scope.warnings);
      const dependency = buildDependency(written, name, { ...scope, ...PLACE });
      entries.push({ source, dependency, definedIn: path });
    }
    patches.set(source.url, entries);
  }
  return Array.from(patches.values()).flat();
}

/** Returns the source that a key of `[patch]` names: a registry of the configuration, else a URL. */
function patchedUrl(key: string, { registry }: BuildDependencyScope): PatchedUrl {
  try {
    return patchedUrlOf(registry(key));
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
    const hint = key === 'crates' ? '\nFor crates.io, use [patch.crates-io] (with a dash)' : '';
    return withContext(`[patch] entry \`${key}\` should be a URL or registry name${hint}`, () =>
      parsePatchedUrl(key),
    );
  }
}
