/**
 * Selects the registry for a command. Cargo Book: Registries; Source Replacement; The Manifest Format, "The publish
 * field".
 */
import { join } from 'node:path';
import { present } from '../../../core/errors/assert.ts';
import type { Config } from '../../../io/config/config.ts';
import { describeDefinition } from '../../../io/config/definition.ts';
import {
  checkRegistryName,
  checkRegistryIndexUnset,
  cratesIoIndex,
  registryIndex,
} from '../../../io/config/registry-index.ts';
import { markCacheDirectory } from '../../../io/disk/cache-directory-tag.ts';
import { asUsageError, TsregError } from '../../../core/errors/error.ts';
import { compareBytes } from '../../../core/files/compare-bytes.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import { CRATES_IO_NAME } from '../../../core/package-id/crates-io.ts';
import { displaySource } from '../../../core/package-id/describe.ts';
import { isCratesIo, isRegistry, type SourceId } from '../../../core/package-id/source-id.ts';
import type { SourceTable } from '../../../core/package-id/source-table.ts';
import { parseUrl } from '../../../core/package-id/url.ts';
import { checkSparseIndexUrl } from '../../../io/sources/sparse-index.ts';
import { SourceReplacement } from '../../../io/sources/source-replacement.ts';

/** A requested registry: its name in the configuration, or the URL of its index. */
export type RegistryChoice =
  | {
      readonly kind: 'registry';
      readonly name: string;
      /** The place where `registry.default` chooses it, for messages. Absent if something else does. */
      readonly defaultFrom?: string;
    }
  | { readonly kind: 'index'; readonly url: string };

/** Command-line flags that choose a registry; null if not given. At most one is given. */
export interface RegistryFlags {
  readonly registry: string | null;
  readonly index: string | null;
}

/** The source of a registry. */
export interface RegistrySource {
  /** The source in lock files and for tokens. */
  readonly original: SourceId;
  /** The source to read from. Differs from `original` only for crates.io, which usually has a sparse index. */
  readonly actual: SourceId;
}

/** Returns the registry in the flags, else in `registry.default`; null if none is set. Throws if it is invalid. */
export function chooseRegistry({ registry, index }: RegistryFlags, config: Config): RegistryChoice | null {
  if (registry !== null) {
    checkRegistryName(registry);
    return { kind: 'registry', name: registry };
  }
  if (index !== null) return { kind: 'index', url: asUsageError(() => parseUrl(index)) };
  const configured = config.string('registry.default');
  if (configured === null) return null;
  return {
    kind: 'registry',
    name: configured.value,
    defaultFrom: describeDefinition(configured.definition),
  };
}

/**
 * Returns the only registry that the `publish` fields of the packages allow; null for crates.io. Ignores unpublishable
 * packages. Throws `config` if they allow none or several. As in cargo: `infer_registry`.
 */
export function inferRegistry(packages: readonly PackageManifest[]): RegistryChoice | null {
  const allowed = packages.map(({ publish }) => publish).filter((publish) => publish?.length !== 0);
  const [firstList = null, ...otherLists] = allowed;
  if (otherLists.every((list) => isSameList(list, firstList))) {
    if (firstList === null) return null;
    const [onlyName, ...otherNames] = firstList;
    if (onlyName !== undefined && otherNames.length === 0) return { kind: 'registry', name: onlyName };
    const names = [...new Set(firstList.map((name) => `"${name}"`))].sort(compareBytes);
    const last = present(names.pop(), 'the name of a registry');
    throw invalid(`--registry is required to disambiguate between ${names.join(', ')} or ${last} registries`);
  }
  const lists = allowed.filter((list) => list !== null);
  const [candidates = []] = lists;
  if (!candidates.some((name) => lists.every((list) => list.includes(name)))) {
    throw invalid('conflicts between `package.publish` fields in the selected packages');
  }
  throw invalid('--registry is required because not all `package.publish` settings agree');
}

/** Throws `config` if a `publish` field does not allow the registry. Ignores packages that may not be published. */
export function checkAllowedRegistry(
  packages: readonly PackageManifest[],
  choice: RegistryChoice | null,
  purpose: 'packaged' | 'published',
): void {
  if (choice?.kind === 'index') return;
  const name = choice?.name ?? CRATES_IO_NAME;
  for (const { publish, summary } of packages) {
    if (publish === null || publish.length === 0 || publish.includes(name)) continue;
    const message =
      `\`${summary.id.name}\` cannot be ${purpose}.\n` +
      `The registry \`${name}\` is not listed in the \`package.publish\` value in Cargo.toml.`;
    const defaultFrom = choice?.defaultFrom;
    if (defaultFrom === undefined) throw invalid(message);
    const hint = `\`${name}\` is \`registry.default\` in ${defaultFrom}: pass \`--registry ${publish[0]}\``;
    throw new TsregError(message, { code: 'config', hint });
  }
}

/**
 * Returns the source of the chosen registry; crates.io for null. For null, throws `config` if the configuration
 * replaces crates.io. Ignores other source replacements. Like cargo, marks the folder of registries as a cache.
 */
export function registrySource(
  choice: RegistryChoice | null,
  config: Config,
  sources: SourceTable,
): RegistrySource {
  const source = locateRegistry(originalSource(choice, config, sources), config, sources);
  const replaced = replacementOf(source, config, sources);
  if (choice === null && replaced !== null) throw replaced;
  return source;
}

/** Throws `config` if the configuration replaces the source of a package. */
export function checkNotReplaced(source: SourceId, config: Config, sources: SourceTable): void {
  const replaced = replacementOf(locateRegistry(source, config, sources), config, sources);
  if (replaced !== null) throw replaced;
}

/** Finds the source of a registry and marks its folder as a cache, like cargo. Throws if `registry.index` is set. */
function locateRegistry(original: SourceId, config: Config, sources: SourceTable): RegistrySource {
  checkRegistryIndexUnset(config);
  const actual = isCratesIo(original) ? cratesIoIndex(config, sources) : original;
  checkSparseIndexUrl(actual);
  if (isRegistry(actual)) markCacheDirectory(join(config.home, 'registry'));
  return { original, actual };
}

/** Returns the error for a replaced source; null if it is not replaced. */
function replacementOf(
  { original, actual }: RegistrySource,
  config: Config,
  sources: SourceTable,
): TsregError | null {
  const replacement = new SourceReplacement(config, sources);
  const substitute = replacement.actualOf(original);
  return substitute === actual ? null : replacedCratesIo(substitute, replacement.registryReplacing(original));
}

function originalSource(choice: RegistryChoice | null, config: Config, sources: SourceTable): SourceId {
  if (choice === null) return registryIndex(config, CRATES_IO_NAME, sources);
  if (choice.kind === 'registry') return registryIndex(config, choice.name, sources);
  return sources.forRegistryIndex(choice.url, null);
}

/** Returns cargo's error if `substitute` replaces crates.io; `name` is null if it is not a configured registry. */
function replacedCratesIo(substitute: SourceId, name: string | null): TsregError {
  if (name !== null) {
    return invalid(
      `crates-io is replaced with remote registry ${name};\n` +
        `include \`--registry ${name}\` or \`--registry ${CRATES_IO_NAME}\``,
    );
  }
  return invalid(
    `crates-io is replaced with non-remote-registry source ${displaySource(substitute)};\n` +
      `include \`--registry ${CRATES_IO_NAME}\` to use crates.io`,
  );
}

function isSameList(a: readonly string[] | null, b: readonly string[] | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((name, index) => name === b[index]);
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'config' });
}
