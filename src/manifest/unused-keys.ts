/** Warnings about keys that nothing reads. */
import type { Message } from '../errors/wording.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import { sanitizeForTerminal } from '../errors/sanitize-for-terminal.ts';
import type { InheritableDependency } from './raw-dependency.ts';

/** Keys that a config file may have at its top. */
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

/** The warnings for keys anywhere in a manifest but in dependencies. */
export function unusedKeyWarnings(keys: readonly string[]): readonly string[] {
  return [...new Set(keys)].sort(compareBytes).map((key) => {
    const help = CONFIG_KEYS.has(key) ? `\nhelp: ${key} is a valid .cargo/config.toml key` : '';
    return `unused manifest key: ${sanitizeForTerminal(key, 'join')}${help}`;
  });
}

/** Warns about the keys of one dependency. `table` is the dotted path of the table it stands in. */
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
