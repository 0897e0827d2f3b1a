/** Warnings about unused keys. */
import type { Message } from '../errors/wording.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import { sanitizeForTerminal } from '../errors/sanitize-for-terminal.ts';
import type { InheritableDependency } from './raw-dependency.ts';

/** Top-level keys of config files. */
const CONFIG_KEYS: ReadonlySet<string> = new Set([
  'paths',
  'alias',
  'build',
  'credential-alias',
  'doc',
  'env',
  'future-incompat-report',
  'cache',
  'cargo-new',
  'http',
  'install',
  'net',
  'patch',
  'profile',
  'resolver',
  'registries',
  'registry',
  'source',
  'target',
  'term',
]);

/** Returns the warnings about unused keys outside dependencies. */
export function unusedKeyWarnings(keys: readonly string[]): readonly string[] {
  return [...new Set(keys)].sort(compareBytes).map((key) => {
    const help = CONFIG_KEYS.has(key) ? `\nhelp: ${key} is a valid .cargo/config.toml key` : '';
    return `unused manifest key: ${sanitizeForTerminal(key, 'join')}${help}`;
  });
}

/** Warns about unused keys of a dependency. `table` is the dotted path of its table. */
export function warnAboutUnusedKeys(
  table: string,
  name: string,
  dependency: InheritableDependency,
  warnings: Message[],
): void {
  if (typeof dependency === 'string' || dependency.unusedKeys === undefined) return;
  for (const key of dependency.unusedKeys) {
    warnings.push(`unused manifest key: ${sanitizeForTerminal(`${table}.${name}.${key}`, 'join')}`);
  }
}
