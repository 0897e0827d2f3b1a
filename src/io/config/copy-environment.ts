/** A fast copy of the environment. */
import type { Environment } from './environment.ts';

/**
 * Returns a copy of `process.env`, which is slow to access. On Windows, where names are case-insensitive, all names in
 * the copy are in upper case.
 */
export function copyEnvironment(
  env: Environment,
  platform: NodeJS.Platform,
): Record<string, string | undefined> {
  if (platform !== 'win32') return { ...env };
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]));
}
