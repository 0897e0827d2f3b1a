/** Paths of the documentation pages of commands. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Path of the bundle. The build defines it; it is undefined when run from sources. */
declare const BUNDLE_FILE: string | undefined;

/** Pages whose name differs from that of their command, and those that also have its subcommands. */
const PAGES: Readonly<Record<string, string>> = {
  complete: 'completions',
  help: 'commands',
  logout: 'login',
  registry: 'registry',
  whoami: 'login',
};

/**
 * Returns the page about a command, by its words, or with null about all commands. The path is relative to the package.
 * All subcommands of a command share one page.
 */
export function documentationPage(name: string | null): string {
  if (name === null) return 'docs/commands.md';
  const isSubcommand = name.includes(' ');
  const command = name.replace(/ .*/, '');
  return `docs/${PAGES[command] ?? (isSubcommand ? `${command}-commands` : command)}.md`;
}

/**
 * Returns the path of that page: absolute if the package is installed, relative when run from sources. Returns null if
 * there are no pages, as in a standalone executable.
 */
export function documentationFile(name: string | null): string | null {
  const page = documentationPage(name);
  if (typeof BUNDLE_FILE === 'undefined') return page;
  // The bundle is in `dist/cli` of the package.
  const file = join(dirname(BUNDLE_FILE), '..', '..', page);
  return existsSync(file) ? file : null;
}
