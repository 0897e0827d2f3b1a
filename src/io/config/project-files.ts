/** Trust in a project's configuration files, which are found by walking up from the working directory. */
import { formatKey, matchesPattern } from './config-key.ts';
import type { ConfigTable, ConfigValue, TableValue } from './config-value.ts';
import { choiceVariable, type Environment } from './environment.ts';

/** `trusted`: like cargo. `data`: only keys that cannot run programs or name servers. `off`: files are not read. */
export type ProjectFileTrust = 'trusted' | 'data' | 'off';

const VARIABLE = 'TSREG_PROJECT_CONFIG';

/**
 * Keys that a project may set with `data`, as table and key. All others are ignored, including those of later releases.
 * `patch` and `paths` can do no more than the project's manifests.
 */
const DATA_KEYS = [
  'build.incremental',
  'build.jobs',
  'build.target',
  'build.warnings',
  'future-incompat-report.*',
  'patch.*',
  'paths',
  'profile.*',
  // Not `incompatible-publish-age`, which could allow versions that are too new for the user, and not `lockfile-path`,
  // which could overwrite the lock file of another project.
  'resolver.feature-unification',
  'resolver.incompatible-rust-versions',
  'term.color',
  'term.hyperlinks',
  'term.progress',
  'term.unicode',
  'term.verbose',
];

/** Reads `TSREG_PROJECT_CONFIG`. Throws `config` for an unknown value, so that a typo does not mean trust. */
export function projectFileTrust(env: Environment): ProjectFileTrust {
  return choiceVariable(env, VARIABLE, ['off', 'data']) ?? 'trusted';
}

/** Returns the part of a project's file that `data` allows, and the ignored keys as messages show them. */
export function withDataKeysOnly(file: TableValue): {
  readonly allowed: TableValue;
  readonly ignored: readonly string[];
} {
  const ignored: string[] = [];
  const allowed = new Map<string, ConfigValue>();
  const isAllowed = (parts: readonly string[]): boolean => {
    const isData = DATA_KEYS.some((pattern) => matchesPattern(parts, pattern));
    if (!isData) ignored.push(formatKey(parts));
    return isData;
  };
  for (const [name, value] of file.value) {
    if (value.type !== 'table') {
      if (isAllowed([name])) allowed.set(name, value);
      continue;
    }
    const entries: ConfigTable = new Map([...value.value].filter(([key]) => isAllowed([name, key])));
    if (entries.size > 0) allowed.set(name, { ...value, value: entries });
  }
  return { allowed: { ...file, value: allowed }, ignored };
}
