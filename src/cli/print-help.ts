/** Help on stdout. */
import type { Grammar } from './parse-arguments.ts';
import { COMMANDS, findCommand, findCommandLine } from './program.ts';
import type { Shell } from './shell.ts';

/** Prints the help of a command, by its words; with null, that of the program. */
export async function printHelp(
  name: string | null,
  { shell, grammar }: { readonly shell: Shell; readonly grammar: Grammar },
): Promise<void> {
  const command = name === null ? null : findCommand(name);
  const { commandHelp, programHelp } = await import('./help.ts');
  const line = (name === null ? null : findCommandLine(grammar, name)) ?? grammar.program;
  const target = { invocation: line.invocation, color: shell.colorsOutput, width: shell.outputWidth };
  shell.writeOut(
    command === null ? programHelp(COMMANDS, line.flags, target) : commandHelp(command, line.flags, target),
  );
}
