/** What `--list` shows. */
import type { Config } from '../config/config.ts';
import { aliasNames, aliasWords } from './aliases.ts';
import { type CommandEntry, loadListed } from './command.ts';
import type { Identity } from './identity.ts';

/** What cargo says of commands that come with Rust and are programs of their own. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  clippy: 'Checks a package to catch common mistakes and improve your Rust code.',
  fmt: 'Formats all bin and lib files of the current crate using rustfmt.',
};

/** The commands that there are, a line each: own ones, aliases and, as cargo, those of others. */
export async function commandList(
  { config, isVerbose }: { readonly config: Config; readonly isVerbose: boolean },
  { commands, identity }: { readonly commands: readonly CommandEntry[]; readonly identity: Identity },
): Promise<string> {
  const lines = new Map<string, string>();
  if (identity.program === 'cargo') {
    const { customCommands } = await import('../ops/foreign-command.ts');
    for (const [name, path] of customCommands(config)) {
      const about = DESCRIPTIONS[name] ?? (isVerbose ? path : null);
      lines.set(name, about === null ? name : line(name, about));
    }
  }
  for (const name of aliasNames(config))
    lines.set(name, line(name, `alias: ${(aliasWords(name, config) ?? []).join(' ')}`));
  for (const { name, about } of await loadListed(commands)) lines.set(name, line(name, about));
  const sorted = Array.from(lines).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `Installed Commands:\n${sorted.map(([, text]) => `    ${text}\n`).join('')}`;
}

function line(name: string, about: string): string {
  return `${name.padEnd(20)} ${about}`;
}
