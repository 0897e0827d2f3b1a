/** Prints help to stdout. */
import { findCommand, loadListed } from '../commands/shared/command.ts';
import { findCommandLine, type GrammarSource, programGrammar } from './program-grammar.ts';
import type { Shell } from '../io/terminal/shell.ts';

/** The grammar that help describes, and its output. */
export interface HelpContext extends GrammarSource {
  readonly shell: Pick<Shell, 'colorsOutput' | 'outputWidth' | 'writeOut'>;
}

/** Prints the help of a command, by its words; with null, or if there is no such command, that of the program. */
export async function printHelp(name: string | null, context: HelpContext): Promise<void> {
  const { commands, identity, shell } = context;
  const [{ commandHelp, programHelp }, { documentationFile }, { EXAMPLES }] = await Promise.all([
    import('./help.ts'),
    import('./documentation-file.ts'),
    import('./examples.ts'),
  ]);
  const command = name === null ? null : await findCommand(name, commands);
  const grammar = await programGrammar(name?.split(' ') ?? [], context);
  const commandLine = name === null ? null : findCommandLine(grammar, name);
  const line = commandLine ?? grammar.program;
  const target = {
    invocation: line.invocation,
    isCargo: identity.program === 'cargo',
    color: shell.colorsOutput,
    width: shell.outputWidth,
    end: { examples: EXAMPLES[name ?? ''] ?? [], documentation: documentationFile(name) },
  };
  shell.writeOut(
    command === null
      ? programHelp(await loadListed(commands), line.flags, target)
      : commandHelp(command, line.flags, target),
  );
}
