/** `help`: prints the help of a command, or the expansion of an alias. Cargo Book: cargo help. */
import { present } from '../core/errors/assert.ts';
import { aliasWords } from './aliases.ts';
import {
  type Command,
  findCommand,
  HELP_ABOUT,
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
  about: HELP_ABOUT,
  cargoAbout: HELP_ABOUT,
  supportedGlobalFlags: ['color'],
  flags: [positionalFlag('command', 'COMMAND', { help: 'Command or alias', isSingleInCargo: true })],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, identity, config, shell, commands } = invocation;
  const [commandOrAlias, ...subcommands] = valuesOf(values, 'command');
  const source = { commands, identity, env: config.env };
  const { printHelp } = await import('./print-help.ts');
  if (commandOrAlias === undefined) {
    await printHelp(null, { shell, ...source });
    return;
  }
  const expansion = aliasWords(commandOrAlias, config) ?? [commandOrAlias];
  // As in cargo, an alias of a single word is only another name for that command.
  if (expansion.length > 1) {
    shell.writeText(`\`${commandOrAlias}\` is aliased to \`${expansion.join(' ')}\`\n`);
    return;
  }
  const words = [...expansion, ...subcommands];
  const name = words.join(' ');
  if ((await findCommand(name, commands)) === null) throw await unknownWordError(words, invocation);
  await printHelp(name, { shell, ...source });
}

/** Returns the error for words that name no command. It is about the first word that does not fit. */
async function unknownWordError(
  words: readonly string[],
  { identity, config, commands }: Invocation,
): Promise<Error> {
  const grammar = await programGrammar([HELP.name, ...words], { commands, identity, env: config.env });
  for (let knownWords = words.length - 1; knownWords > 0; knownWords -= 1) {
    const line = findCommandLine(grammar, words.slice(0, knownWords).join(' '));
    if (line === null) continue;
    const word = present(words[knownWords], 'the word after a command');
    if (line.subcommands !== undefined) return UsageError.unknownSubcommand(line, word);
    const helpLine = present(findCommandLine(grammar, HELP.name), 'the grammar of `help`');
    return UsageError.unknownArgument(helpLine, word, { used: [], isExtraValue: true });
  }
  const { unknownCommand } = await import('./unknown-command.ts');
  const [name] = words;
  return unknownCommand(present(name, 'the name of a command'), {
    config,
    identity,
    knownNames: listedNames(commands),
    args: null,
  });
}
