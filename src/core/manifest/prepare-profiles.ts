/** Profiles and lints of published manifests. Cargo Book: Profiles; The Manifest Format, The lints section. */
import { buildTable, mapTable } from '../toml/build-table.ts';
import type { TomlTable, TomlValue } from '../toml/value.ts';
import type { Lint, Lints } from './raw-lints.ts';
import type { Profile } from './raw-profile.ts';

/** Returns `[profile]`, with numeric levels if possible. */
export function prepareProfiles(profiles: ReadonlyMap<string, Profile>): TomlTable {
  return mapTable(profiles, profileTable);
}

/** Keys of unstable features, and a key that no profile may have: `checkProfiles` refuses them. */
type RefusedKey = 'codegen-backend' | 'dir-name' | 'rustflags' | 'trim-paths';

function profileTable(profile: Profile): TomlTable {
  const { 'opt-level': optLevel, debug, package: packages, 'build-override': build } = profile;
  return buildTable<Exclude<keyof Profile, RefusedKey>>({
    'opt-level': optLevel === undefined ? null : printedOptLevel(optLevel),
    lto: profile.lto,
    'codegen-units': profile['codegen-units'],
    debug: debug === undefined ? null : printedDebug(debug),
    'split-debuginfo': profile['split-debuginfo'],
    'debug-assertions': profile['debug-assertions'],
    rpath: profile.rpath,
    panic: profile.panic,
    'overflow-checks': profile['overflow-checks'],
    incremental: profile.incremental,
    inherits: profile.inherits,
    strip: profile.strip,
    package: packages === undefined ? null : mapTable(packages, profileTable),
    'build-override': build === undefined ? null : profileTable(build),
    'hint-mostly-unused': profile['hint-mostly-unused'],
  });
}

/** Returns a level that is not an unsigned 32-bit integer as text. */
function printedOptLevel(level: bigint | string): TomlValue {
  return typeof level === 'string' || BigInt.asUintN(32, level) === level ? level : String(level);
}

const DEBUG_LEVELS: ReadonlyMap<string, bigint> = new Map([
  ['none', 0n],
  ['limited', 1n],
  ['full', 2n],
]);

/** Returns a debug level as a number. Levels without a number stay text. */
function printedDebug(debug: boolean | bigint | string): TomlValue {
  if (typeof debug === 'boolean') return debug ? 2n : 0n;
  return typeof debug === 'string' ? (DEBUG_LEVELS.get(debug) ?? debug) : debug;
}

/** Returns `[lints]` by tool and name. */
export function prepareLints(lints: Lints): TomlTable {
  return mapTable(lints, (toolLints) => mapTable(toolLints, lintValue));
}

/** Returns a lint as it was written: only its level, or a table. */
function lintValue({ level, priority, config }: Lint): TomlValue {
  return priority === null
    ? level
    : new Map<string, TomlValue>([['level', level], ['priority', priority], ...config]);
}
