/** `[profile]` as written. Cargo Book: Profiles. */
import {
  comparePackageIdSpecs,
  formatPackageIdSpec,
  packageIdSpecProblem,
  parsePackageIdSpec,
} from '../package-id/package-id-spec.ts';
import type { PackageIdSpec } from '../package-id/package-id-spec.ts';
import { asTable, boolean, describeValue, integer, map, oneOf, string, strings } from '../toml/decode.ts';
import type { DecodeContext, Decoder } from '../toml/decode.ts';
import { struct } from '../toml/decode-struct.ts';
import type { TomlValue } from '../toml/value.ts';
import { stringOrBoolean } from './inheritable.ts';
import { profileNameProblem } from './profile-name.ts';

/** The valid debug levels, for errors. */
const DEBUG = 'a boolean, 0, 1, 2, "none", "limited", "full", "line-tables-only", or "line-directives-only"';
const DEBUG_NAMES = ['none', 'limited', 'full', 'line-tables-only', 'line-directives-only'];
/** The valid settings of `trim-paths`, for errors. */
const TRIM_PATHS =
  'a boolean, "none", "diagnostics", "macro", "object", "all", or an array with these options';
const TRIM_PATHS_PARTS = ['diagnostics', 'macro', 'object'];

const optLevel = oneOf<bigint | string>({
  expected: 'an optimization level',
  integer: (level) => level,
  string: (text, context) => {
    if (text === 's' || text === 'z') return text;
    throw context.error(
      `must be \`0\`, \`1\`, \`2\`, \`3\`, \`s\` or \`z\`, but found the string: "${text}"`,
    );
  },
});

const debugInfo = oneOf<boolean | bigint | string>({
  expected: DEBUG,
  boolean: (flag) => flag,
  integer: (level, context) => {
    if (level >= 0n && level <= 2n) return level;
    throw context.error(`invalid value: ${describeValue(level)}, expected ${DEBUG}`);
  },
  string: (text, context) => {
    if (DEBUG_NAMES.includes(text)) return text;
    throw context.error(`invalid value: ${describeValue(text)}, expected ${DEBUG}`);
  },
});

const trimPaths = oneOf<unknown>({
  expected: TRIM_PATHS,
  boolean: (flag) => flag,
  string: (text, context) => {
    if (text === 'none' || text === 'all' || TRIM_PATHS_PARTS.includes(text)) return text;
    throw context.error(`expected ${TRIM_PATHS}`);
  },
  array: (value, context) => {
    for (const part of strings(value, context)) {
      if (TRIM_PATHS_PARTS.includes(part)) continue;
      const expected = TRIM_PATHS_PARTS.map((name) => `\`${name}\``).join(', ');
      throw context.error(`unknown variant \`${part}\`, expected one of ${expected}`);
    }
    return value;
  },
});

/** Reads overrides by package. The names are package ID specs as cargo prints them, in their order; `*` comes last. */
const overrides: Decoder<ReadonlyMap<string, Profile>> = (value, context) => {
  const written = map(profile, (key) => (key === '*' ? null : packageIdSpecProblem(key)))(value, context);
  const overrideOfAll = written.get('*');
  // If a spec has two spellings, the later one in the file counts. `written` is sorted, so it does not tell which.
  const bySpec = new Map<string, { readonly spec: PackageIdSpec; readonly profile: Profile }>();
  for (const key of asTable(value)?.keys() ?? []) {
    const override = key === '*' ? undefined : written.get(key);
    if (override === undefined) continue;
    const spec = parsePackageIdSpec(key);
    bySpec.set(formatPackageIdSpec(spec), { spec, profile: override });
  }
  const sorted = [...bySpec].sort((a, b) => comparePackageIdSpecs(a[1].spec, b[1].spec));
  const profilesBySpec = new Map(sorted.map(([text, override]) => [text, override.profile]));
  return overrideOfAll === undefined ? profilesBySpec : profilesBySpec.set('*', overrideOfAll);
};

const FIELDS = {
  'opt-level': optLevel,
  lto: stringOrBoolean,
  'codegen-backend': string,
  'codegen-units': integer('u32', 0n, (1n << 32n) - 1n),
  debug: debugInfo,
  'split-debuginfo': string,
  'debug-assertions': boolean,
  rpath: boolean,
  panic: string,
  'overflow-checks': boolean,
  incremental: boolean,
  'dir-name': string,
  inherits: string,
  strip: stringOrBoolean,
  rustflags: strings,
  package: overrides,
  'build-override': (value, context) => profile(value, context),
  'trim-paths': trimPaths,
  'hint-mostly-unused': boolean,
} satisfies Readonly<Record<keyof Profile, Decoder<unknown>>>;

const profileFields = struct('TomlProfile', FIELDS, { asArray: 'some' });

/**
 * A profile or an override in a profile, as written. TypeScript cannot infer this type from `FIELDS`, because profiles
 * contain profiles.
 */
export interface Profile {
  readonly 'opt-level'?: bigint | string;
  readonly lto?: string | boolean;
  readonly 'codegen-backend'?: string;
  readonly 'codegen-units'?: bigint;
  readonly debug?: boolean | bigint | string;
  readonly 'split-debuginfo'?: string;
  readonly 'debug-assertions'?: boolean;
  readonly rpath?: boolean;
  readonly panic?: string;
  readonly 'overflow-checks'?: boolean;
  readonly incremental?: boolean;
  readonly 'dir-name'?: string;
  readonly inherits?: string;
  readonly strip?: string | boolean;
  readonly rustflags?: readonly string[];
  readonly package?: ReadonlyMap<string, Profile>;
  readonly 'build-override'?: Profile;
  readonly 'trim-paths'?: unknown;
  readonly 'hint-mostly-unused'?: boolean;
}

/** Reads one profile. A function declaration, because profiles contain profiles. */
function profile(value: TomlValue, context: DecodeContext): Profile {
  return profileFields(value, context);
}

/** Reads `[profile]`, sorted by name. */
export const profiles: Decoder<ReadonlyMap<string, Profile>> = map(profile, profileNameProblem);
