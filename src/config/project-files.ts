/** How far configuration files of a project are trusted: those found by walking up from the working folder. */
import { TsregError } from '../errors/error.ts';
import { formatKey, matchesPattern } from './config-key.ts';
import type { ConfigTable, ConfigValue } from './config-value.ts';
import type { Environment } from './environment.ts';

/** `trusted`: as cargo. `data`: only keys that can neither run programs nor name servers. `off`: not read at all. */
export type ProjectFileTrust = 'trusted' | 'data' | 'off';

const VARIABLE = 'TSREG_PROJECT_CONFIG';

/**
 * Keys that a project may set with `data`, by the table and the key in it. All others are ignored, those of later releases
 * included. `patch` and `paths` say nothing that the project's manifests could not say.
 */
const DATA_KEYS = [
  ...['build.incremental', 'build.jobs', 'build.target', 'build.warnings'],
  ...['future-incompat-report.*', 'patch.*', 'paths', 'profile.*'],
  // Not `incompatible-publish-age`, with which a project could let in versions that the user finds too new, and not
  // `lockfile-path`, with which it could have the lock file of another project written.
  ...['resolver.feature-unification', 'resolver.incompatible-rust-versions'],
  ...['term.color', 'term.hyperlinks', 'term.progress', 'term.unicode', 'term.verbose'],
];

/** Reads `TSREG_PROJECT_CONFIG`. Throws for a value that is not known, so that a typing error does not mean trust. */
export function projectFileTrust(env: Environment): ProjectFileTrust {
  const value = env[VARIABLE] ?? '';
  if (value === '') return 'trusted';
  if (value === 'off' || value === 'data') return value;
  throw new TsregError(`invalid value \`${value}\` for \`${VARIABLE}\`: expected \`off\` or \`data\``, {
    code: 'config',
  });
}

/** What is left of a project's file with `data`, and the keys that were taken out, as messages show them. */
export function withDataKeysOnly(file: ConfigValue): {
  readonly kept: ConfigValue;
  readonly ignored: readonly string[];
} {
  if (file.type !== 'table') return { kept: file, ignored: [] };
  const ignored: string[] = [];
  const kept = new Map<string, ConfigValue>();
  const isKept = (parts: readonly string[]): boolean => {
    const isData = DATA_KEYS.some((pattern) => matchesPattern(parts, pattern));
    if (!isData) ignored.push(formatKey(parts));
    return isData;
  };
  for (const [name, value] of file.value) {
    if (value.type !== 'table') {
      if (isKept([name])) kept.set(name, value);
      continue;
    }
    const entries: ConfigTable = new Map([...value.value].filter(([key]) => isKept([name, key])));
    if (entries.size > 0) kept.set(name, { ...value, value: entries });
  }
  return { kept: { ...file, value: kept }, ignored };
}
