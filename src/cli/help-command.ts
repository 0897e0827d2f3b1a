/** `help`: prints the help of a command, or the expansion of an alias. Cargo Book: cargo help. */
import { aliasWords } from './aliases.ts';
import {
  type Command,
  findCommand,
  type Invocation,
  listedNames,
  valuesOf,
} from '../commands/shared/command.ts';
import { positionalFlag } from '../commands/shared/flag.ts';
import { findCommandLine, programGrammar } from './program-grammar.ts';
import { UsageError } from '../commands/shared/usage-error.ts';

/** The flags of `tsreg help`, and its run. */
export const HELP: Command = {
  name: 'help',
  about: 'Print help for a command',
  cargoAbout: 'Print help for a command',
  supportedGlobalFlags: ['color'],
  flags: [positionalFlag('command', 'COMMAND', { help: 'Command or alias', isSingleInCargo: true })],
  run,
};

async function run({ values, identity, config, shell, commands }: Invocation): Promise<void> {
  const [first, ...rest] = valuesOf(values, 'command');
  const source = { commands, identity, env: config.env };
  const { printHelp } = await import('./print-help.ts');
  if (first === undefined) {
    await printHelp(null, { shell, ...source });
    return;
  }
  const alias = aliasWords(first, config) ?? [first];
  if (alias.length > 1) {
    shell.writeText(`\`${first}\` is aliased to \`${alias.join(' ')}\`\n`);
    return;
  }
  const name = [...alias, ...rest].join(' ');
  if ((await findCommand(name, commands)) === null) {
    const grammar = await programGrammar([HELP.name, ...alias, ...rest], source);
    for (let known = rest.length; known > 0; known -= 1) {
      const line = findCommandLine(grammar, [...alias, ...rest.slice(0, known - 1)].join(' '));
      const word = rest[known - 1] ?? '';
      if (line?.subcommands !== undefined) throw UsageError.unknownSubcommand(line, word);
      const own = line === null ? null : findCommandLine(grammar, HELP.name);
      if (own !== null) throw UsageError.unknownArgument(own, word, { used: [], isValue: true });
    }
    const { unknownCommand } = await import('./unknown-command.ts');
    throw unknownCommand(alias.join(' '), { config, identity, known: listedNames(commands), rest: null });
  }
  await printHelp(name, { shell, ...source });
}
