/** The minimum age of versions. Cargo Book: Configuration, `registry.global-min-publish-age`. */
import { TsregError } from '../../core/errors/error.ts';
import { CRATES_IO_NAME } from '../../core/package-id/crates-io.ts';
import { configuredName, isCratesIo, type SourceId } from '../../core/package-id/source-id.ts';
import type { Config } from './config.ts';
import { map, optional } from './decoder.ts';
import { DEFAULT_REGISTRY_TABLE, namesOfRegistry, REGISTRY_TABLE } from './registry-tables.ts';

/** A minimum age other than 0. */
export interface PositiveAge {
  readonly ms: number;
  /** As written. */
  readonly text: string;
}

/** A minimum age; `off` for the setting `0`. */
export type MinimumAgeSetting = PositiveAge | 'off';

/** The minimum ages of a configuration. */
export interface MinimumAges {
  /**
   * Returns the minimum for packages of `source`: the registry's setting, else the global one; null if neither is set.
   */
  readonly minimumOf: (source: SourceId) => MinimumAgeSetting | null;
  /** The global setting, if it is an age and no registry has its own setting; else null. */
  readonly common: PositiveAge | null;
}

/** Reads all minimum ages; null if none is set. Throws `config` if one is invalid. */
export function minimumAges(config: Config): MinimumAges | null {
  const registry = config.get('registry', optional(DEFAULT_REGISTRY_TABLE));
  const globalText = registry?.['global-min-publish-age'] ?? null;
  const global = globalText === null ? null : parseMinimumAge('registry.global-min-publish-age', globalText);
  const byRegistry = agesOfRegistries(config);
  if (global === null && byRegistry.size === 0) return null;
  const agesBySource = new Map<SourceId, MinimumAgeSetting | null>();
  const minimumOf = (source: SourceId): MinimumAgeSetting | null => {
    let age = agesBySource.get(source);
    if (age === undefined) {
      age = ageOfRegistry(source, config, byRegistry) ?? global;
      agesBySource.set(source, age);
    }
    return age;
  };
  return { minimumOf, common: byRegistry.size > 0 || global === 'off' ? null : global };
}

/** Returns the ages by registry name. A registry that no file names has the name from its variable. */
function agesOfRegistries(config: Config): ReadonlyMap<string, MinimumAgeSetting> {
  const ages = new Map<string, MinimumAgeSetting>();
  const tables = config.get('registries', optional(map(REGISTRY_TABLE))) ?? new Map();
  for (const [name, table] of tables) {
    const key = `registries.${name}.min-publish-age`;
    // A variable has the name in upper case, but `map` looks for the name as written.
    const text = /^[\w-]+$/.test(name) ? config.string(key)?.value : table['min-publish-age'];
    if (typeof text === 'string') ages.set(name, parseMinimumAge(key, text));
  }
  const namesInFiles = new Set(Array.from(ages.keys(), variableName));
  for (const variable of Object.keys(config.env)) {
    const name = /^CARGO_REGISTRIES_(.+)_MIN_PUBLISH_AGE$/.exec(variable)?.[1]?.toLowerCase();
    if (name === undefined || namesInFiles.has(name)) continue;
    const key = `registries.${name}.min-publish-age`;
    const text = config.string(key)?.value;
    if (text !== undefined) ages.set(name, parseMinimumAge(key, text));
  }
  return ages;
}

/** Returns the name that a registry has in variables, but in lower case. */
function variableName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}

/**
 * Returns the setting for the registry's name in `source`, else the longest one of all registries with this index. null
 * if there is none. `ages` is by registry name.
 */
function ageOfRegistry(
  source: SourceId,
  config: Config,
  ages: ReadonlyMap<string, MinimumAgeSetting>,
): MinimumAgeSetting | null {
  if (ages.size === 0) return null;
  const ageOf = (name: string): MinimumAgeSetting | null =>
    ages.get(name) ?? ages.get(variableName(name)) ?? null;
  const name = isCratesIo(source) ? CRATES_IO_NAME : configuredName(source);
  const ageByName = name === null ? null : ageOf(name);
  if (ageByName !== null || isCratesIo(source)) return ageByName;
  const others = namesOfRegistry(config, source).flatMap((other) => ageOf(other) ?? []);
  return others.toSorted((a, b) => msOf(b) - msOf(a))[0] ?? null;
}

/** Returns a number that sorts `off` before all ages. */
function msOf(age: MinimumAgeSetting): number {
  return age === 'off' ? -1 : age.ms;
}

const SECONDS_PER_UNIT: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 60 * 60,
  day: 24 * 60 * 60,
  week: 7 * 24 * 60 * 60,
  // One twelfth of the mean Gregorian year.
  month: 2_629_746,
};

/** cargo's type for the number is `u64`. */
const GREATEST_COUNT = 2n ** 64n - 1n;

/**
 * Parses the value of `key`. Throws `config` unless it is `0` or a number of seconds, minutes, hours, days, weeks or
 * months.
 */
export function parseMinimumAge(key: string, text: string): MinimumAgeSetting {
  if (text === '0') return 'off';
  const [, count = '', unit = ''] = /^([0-9]+) ?(second|minute|hour|day|week|month)s?$/.exec(text) ?? [];
  const seconds = SECONDS_PER_UNIT[unit];
  if (seconds === undefined || BigInt(count) > GREATEST_COUNT) {
    throw new TsregError(
      `invalid value for \`${key}\`: expected a value of the form "N seconds/minutes/hours/days/weeks/months", got: ${JSON.stringify(text)}`,
      { code: 'config' },
    );
  }
  return { ms: Number(count) * seconds * 1000, text };
}
