/** The output of `--list`. */
import type { Config } from '../io/config/config.ts';
import { configuredAliases } from './aliases.ts';
import { type CommandEntry, loadListed } from '../commands/shared/command.ts';
import { commandSections, HelpPage } from './help.ts';
import type { Identity } from '../commands/shared/identity.ts';
import type { Shell } from '../io/terminal/shell.ts';

/** cargo's descriptions of external commands that come with Rust. */
const RUST_COMPONENT_ABOUTS: ReadonlyMap<string, string> = new Map([
  ['clippy', 'Checks a package to catch common mistakes and improve your Rust code.'],
  ['fmt', 'Formats all bin and lib files of the current crate using rustfmt.'],
]);

/** The commands to list, and the output that they are listed for. */
export interface CommandListTarget {
  readonly commands: readonly CommandEntry[];
  readonly identity: Identity;
  readonly shell: Pick<Shell, 'colorsOutput' | 'outputWidth'>;
}

/**
 * Returns a list of commands and aliases, one per line; in compatibility mode also external `cargo-*` commands.
 * `isVerbose` adds the paths of external commands, in compatibility mode only.
 */
export async function commandList(
  { config, isVerbose }: { readonly config: Config; readonly isVerbose: boolean },
  target: CommandListTarget,
): Promise<string> {
  return target.identity.program === 'cargo'
    ? await cargoCommandList(target.commands, { config, isVerbose })
    : await groupedCommandList(target, config);
}

/** Returns the list in the layout of help, but with aliases and hidden commands. */
async function groupedCommandList(
  { commands, identity, shell }: CommandListTarget,
  config: Config,
): Promise<string> {
  const page = new HelpPage({
    invocation: identity.program,
    color: shell.colorsOutput,
    width: shell.outputWidth,
  });
  const aliases = Array.from(configuredAliases(config), ([term, words]) => ({ term, text: words.join(' ') }));
  page.addSections([
    ...commandSections(await loadListed(commands)),
    ...(aliases.length === 0 ? [] : [{ heading: 'Aliases', items: aliases }]),
  ]);
  return page.render();
}

/** Returns the list in cargo's words and layout: sorted by name, with external commands. */
async function cargoCommandList(
  commands: readonly CommandEntry[],
  { config, isVerbose }: { readonly config: Config; readonly isVerbose: boolean },
): Promise<string> {
  // Of commands with one name, the last one counts. cargo: src/bin/cargo/main.rs, list_commands.
  const lines = new Map<string, string>();
  const { customCommands } = await import('./foreign-command.ts');
  for (const [name, path] of customCommands(config)) {
    const about = RUST_COMPONENT_ABOUTS.get(name) ?? (isVerbose ? path : null);
    lines.set(name, about === null ? name : listLine(name, about));
  }
  for (const { name, about, cargoAbout } of await loadListed(commands)) {
    lines.set(name, listLine(name, cargoAbout ?? about));
  }
  for (const [name, words] of configuredAliases(config)) {
    lines.set(name, listLine(name, `alias: ${words.join(' ')}`));
  }
  lines.set('help', listLine('help', 'Displays help for a cargo command'));
  const sorted = Array.from(lines).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `Installed Commands:\n${sorted.map(([, text]) => `    ${text}\n`).join('')}`;
}

function listLine(name: string, about: string): string {
  return `${name.padEnd(20)} ${about}`;
}
