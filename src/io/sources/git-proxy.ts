/** The proxy of git, which cargo also uses. Cargo Book: Configuration, `http.proxy`. */
import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { runGit } from '../git/process.ts';

/** Returns the proxy in git's configuration for the user or the system; null if there is none, or no git. */
export async function gitProxy(config: Config, signal: AbortSignal): Promise<string | null> {
  if (!mentionsProxy(config)) return null;
  for (const scope of ['--global', '--system']) {
    try {
      // With `gitDir`, git does not search for a repository, which it might refuse to read.
      const options = { gitDir: config.cwd, env: config.env, signal };
      const { status, stdout } = await runGit(
        ['config', scope, '--includes', '--get', 'http.proxy'],
        options,
      );
      if (status === 0 && stdout.trim() !== '') return stdout.trim();
    } catch {
      // Without git, there is no such proxy.
      signal.throwIfAborted();
    }
  }
  return null;
}

/**
 * Returns false if no git configuration can contain a proxy: git need not be started then. git-config(1), FILES, lists
 * the files.
 */
function mentionsProxy({ env }: Config): boolean {
  const home = env['HOME'] ?? '';
  const files = [
    env['GIT_CONFIG_GLOBAL'] ?? `${home}/.gitconfig`,
    `${env['XDG_CONFIG_HOME'] ?? `${home}/.config`}/git/config`,
    env['GIT_CONFIG_SYSTEM'] ?? '/etc/gitconfig',
  ];
  return files.some((file) => {
    try {
      return /proxy|include/i.test(readFileSync(file, 'utf8'));
    } catch {
      return false;
    }
  });
}
