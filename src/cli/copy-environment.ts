type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A copy of the environment of a process, which is slow to ask. On Windows, where `Path` is `PATH`, all names in it are in
 * capitals.
 */
export function copyEnvironment(
  env: Environment,
  platform: NodeJS.Platform,
): Record<string, string | undefined> {
  if (platform !== 'win32') return { ...env };
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]));
}
