/** `help`: what a command is for, or what an alias stands for. Cargo Book: cargo help. */
import { aliasWords } from '../aliases.ts';
import { type Command, type Invocation, valuesOf } from '../command.ts';
import { positionalFlag } from '../flag.ts';
import { Refusal } from '../refusal.ts';

/** The command. */
export const HELP: Command = {
  name: 'help',
  about: 'Print help for a command',
  flags: [positionalFlag('command', 'COMMAND', { help: 'The command, or an alias', isSingleInCargo: true })],
  run,
};

async function run({ values, identity, config, shell }: Invocation): Promise<void> {
  const [first, ...rest] = valuesOf(values, 'command');
  const { COMMANDS, findCommand, findCommandLine, programGrammar } = await import('../program.ts');
  const { printHelp } = await import('../print-help.ts');
  const grammar = programGrammar(identity, config.env);
  if (first === undefined) {
    await printHelp(null, { shell, grammar });
    return;
  }
  const alias = aliasWords(first, config) ?? [first];
  if (alias.length > 1) {
    shell.writeText(`\`${first}\` is aliased to \`${alias.join(' ')}\`\n`);
    return;
  }
  const name = [...alias, ...rest].join(' ');
  if (findCommand(name) === null) {
    for (let known = rest.length; known > 0; known -= 1) {
      const line = findCommandLine(grammar, [...alias, ...rest.slice(0, known - 1)].join(' '));
      const word = rest[known - 1] ?? '';
      if (line?.subcommands !== undefined) throw Refusal.unknownSubcommand(line, word);
      const own = line === null ? null : findCommandLine(grammar, HELP.name);
      if (own !== null) throw Refusal.unknownArgument(own, word, { used: [], isValue: true });
    }
    const { unknownCommand } = await import('../unknown-command.ts');
    const known = COMMANDS.map((command) => command.name);
    throw unknownCommand(alias.join(' '), { config, identity, known });
  }
  await printHelp(name, { shell, grammar });
}
