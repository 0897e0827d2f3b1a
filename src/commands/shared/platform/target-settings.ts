/** Checks settings that only a build uses. Cargo Book: Configuration, `[env]` and `[target]`. */
import { TsregError } from '../../../core/errors/error.ts';
import { sanitizeForTerminal } from '../../../core/errors/sanitize-for-terminal.ts';
import { keywordWarnings } from '../../../core/platform/cfg-values.ts';
import { parsePlatform } from '../../../core/platform/parse-platform.ts';
import { compareBytes } from '../../../core/files/compare-bytes.ts';
import type { Config } from '../../../io/config/config.ts';
import type { ConfigTable, ConfigValue } from '../../../io/config/config-value.ts';
import {
  boolean,
  type Decoder,
  located,
  locatedPath,
  map,
  oneOf,
  optional,
  string,
  struct,
  words,
} from '../../../io/config/decoder.ts';
import { describeDefinition } from '../../../io/config/definition.ts';
import type { Place } from '../../../io/config/place.ts';

/** The targets of a build, as triples. */
export interface TargetTriples {
  /** Returns the triple of this machine, which is slow; null if rustc has no target for it. */
  readonly host: () => string | null;
  /** The requested targets; empty for the host. */
  readonly requested: readonly string[];
}

/** The receiver of warnings. */
interface WarningReceiver {
  readonly report: { warning(text: string): void };
}

/**
 * Reads `[env]` and `[target]` as cargo does before it queries the compiler about targets. Warns about unused keys.
 * Throws with cargo's messages if a value is wrong.
 */
export function checkTargetSettings(
  config: Config,
  { host: findHost, requested }: TargetTriples,
  { report }: WarningReceiver,
): void {
  if (!hasTargetSettings(config)) return;
  const host = findHost();
  let isWarned = false;
  const askCompiler = (triple: string): void => {
    checkFlags(config, triple, 'rustflags');
    checkEnv(config);
    if (!isWarned && (readsFlags(config, 'rustflags') || readsFlags(config, 'rustdocflags'))) {
      for (const warning of checkCfgTables(config)) report.warning(warning);
      isWarned = true;
    }
    checkFlags(config, triple, 'rustdocflags');
  };
  if (host !== null) {
    if (requested.length === 0) askCompiler(host);
    else checkEnv(config);
    checkTargetTable(config, host);
  }
  for (const triple of requested) {
    checkTargetTable(config, triple);
    askCompiler(triple);
  }
}

/** Returns true if any of these settings exists. Most configurations have none, and reading each value takes time. */
function hasTargetSettings(config: Config): boolean {
  if (config.value('env') !== null || config.value('target') !== null) return true;
  return Object.keys(config.env).some((name) =>
    /^CARGO_TARGET_.*_(?:RUNNER|LINKER|RUST(?:DOC)?FLAGS)$/.test(name),
  );
}

type Flags = 'rustflags' | 'rustdocflags';

/** Returns false if an environment variable replaces all configured flags. */
function readsFlags({ env }: Config, flags: Flags): boolean {
  const name = flags.toUpperCase();
  return env[`CARGO_ENCODED_${name}`] === undefined && env[name] === undefined;
}

function checkFlags(config: Config, triple: string, flags: Flags): void {
  if (readsFlags(config, flags)) config.get(`target.${triple}.${flags}`, optional(words));
}

const VARIABLE_TABLE = struct({ value: string, force: boolean, relative: boolean }, { ignoresUnknown: true });

const VARIABLE = oneOf<unknown>('a string or map', (value) => {
  if (value.type === 'string') return string;
  return value.type === 'table' ? variableTable : null;
});

function variableTable(place: Place): unknown {
  const table = VARIABLE_TABLE(place);
  if (table.value === null) throw invalid('missing field `value`');
  return table;
}

/** Variables that are read before cargo could set them. */
const NEVER_SET = ['CARGO_HOME', 'RUSTUP_HOME', 'RUSTUP_TOOLCHAIN'];

function checkEnv(config: Config): void {
  const variables = config.get('env', map(VARIABLE));
  const refused = NEVER_SET.find((name) => variables.has(name));
  if (refused === undefined) return;
  throw invalid(
    `setting the \`${refused}\` environment variable is not supported in the \`[env]\` configuration table`,
  );
}

/** A program name and its arguments. Throws if the list is empty. */
const program: Decoder<readonly string[]> = (place) => {
  const command = located(words)(place).value;
  if (command.length === 0) throw invalid('invalid length 0, expected at least one element');
  return command;
};

/** The keys in the table of a target that are not libraries. `hasTargetSettings` must know their variables. */
const TARGET_TABLE = {
  runner: located(program),
  rustflags: located(words),
  rustdocflags: located(words),
  linker: located(locatedPath),
};

/** Checks `[target.TRIPLE]`: known keys first, in the order of `TARGET_TABLE`, then libraries. */
function checkTargetTable(config: Config, triple: string): void {
  const key = `target.${triple}`;
  for (const [name, decoder] of Object.entries(TARGET_TABLE)) {
    config.get(`${key}.${name}`, optional<unknown>(decoder));
  }
  for (const [name, value] of config.table(key) ?? []) {
    // cargo ignores this obsolete key.
    if (name === 'ar' || Object.hasOwn(TARGET_TABLE, name)) continue;
    checkLibrary(tableOf(value, `${key}.${name}`), key);
  }
}

/** Checks the overrides of a library's build script. Cargo Book: Build Scripts, Overriding Build Scripts. */
function checkLibrary(library: ConfigTable, targetKey: string): void {
  for (const [key, value] of Array.from(library).sort(([a], [b]) => compareBytes(a, b))) {
    if (key === 'rustc-flags') {
      const where = describeDefinition(value.definition);
      checkLinkFlags(stringOf(value, key), `target config \`${targetKey}.${key}\` (in ${where})`);
    } else if (STRING_LISTS.includes(key)) {
      checkStringList(value, key);
    } else if (key === 'rustc-env') {
      for (const [name, variable] of tableOf(value, key)) stringOf(variable, name);
    } else if (NOT_OVERRIDDEN.includes(key)) {
      throw invalid(`\`${key}\` is not supported in build script overrides`);
    } else {
      stringOf(value, key);
    }
  }
}

/** The keys of `checkLibrary` whose values are a string or a list of strings. */
const STRING_LISTS = [
  'rustc-link-lib',
  'rustc-link-search',
  'rustc-link-arg-cdylib',
  'rustc-cdylib-link-arg',
  'rustc-link-arg-bins',
  'rustc-link-arg',
  'rustc-link-arg-tests',
  'rustc-link-arg-benches',
  'rustc-link-arg-examples',
  'rustc-cfg',
  'rustc-check-cfg',
];

/** Instructions of a build script that its overrides cannot contain. */
const NOT_OVERRIDDEN = ['warning', 'rerun-if-changed', 'rerun-if-env-changed'];

/** Checks `-l NAME` and `-L PATH` flags. `where` names their setting in messages. */
function checkLinkFlags(text: string, where: string): void {
  const trimmed = text.trim();
  const parts = trimmed
    .split(/\s+/u)
    .filter((part) => part !== '')
    .values();
  for (const flag of parts) {
    if (!flag.startsWith('-l') && !flag.startsWith('-L')) {
      throw invalid(`only \`-l\` and \`-L\` flags are allowed in ${where}: \`${trimmed}\``);
    }
    if (flag.length > 2) continue;
    // cargo's message ends with the value, which is empty here.
    if (parts.next().done === true) throw invalid(`flag in rustc-flags has no value in ${where}: `);
  }
}

/** Reads all of `[target]`, for the flags in its `cfg(…)` tables. Returns warnings. */
function checkCfgTables(config: Config): readonly string[] {
  const tables = config.get('target', map(struct(TARGET_TABLE, { ignoresUnknown: true })));
  const warnings: string[] = [];
  for (const key of Array.from(tables.keys()).sort(compareBytes)) {
    warnings.push(...platformWarnings(key));
    if (!key.startsWith('cfg(')) continue;
    const table = config.table('target')?.get(key);
    for (const name of table?.type === 'table' ? Array.from(table.value.keys()).sort(compareBytes) : []) {
      if (Object.hasOwn(TARGET_TABLE, name)) continue;
      warnings.push(
        `unused key \`${sanitizeForTerminal(name, 'join')}\` in [target] config table \`${sanitizeForTerminal(key, 'join')}\``,
      );
    }
  }
  return warnings;
}

function platformWarnings(key: string): readonly string[] {
  try {
    return keywordWarnings(parsePlatform(key), '.cargo/config.toml');
  } catch {
    // An invalid key matches no target.
    return [];
  }
}

function tableOf(value: ConfigValue, key: string): ConfigTable {
  if (value.type !== 'table') throw wrongType('table', key, value);
  return value.value;
}

function stringOf(value: ConfigValue, key: string): string {
  if (value.type !== 'string') throw wrongType('string', key, value);
  return value.value;
}

function checkStringList(value: ConfigValue, key: string): void {
  if (value.type !== 'array') throw wrongType('list', key, value);
  // For an invalid item, cargo reports the type of the list.
  if (value.value.some((item) => item.type !== 'string')) throw wrongType('string', key, value);
}

/** Returns the error for a value that does not have the type `expected`. */
function wrongType(expected: string, key: string, value: ConfigValue): TsregError {
  const where = describeDefinition(value.definition);
  return invalid(`expected a ${expected}, but found a ${value.type} for \`${key}\` in ${where}`);
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'config' });
}
