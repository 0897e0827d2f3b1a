/** `completions`: prints the completion script for a shell. */
import { present } from '../../core/errors/assert.ts';
import { type Command, type Invocation, requiredValueOf } from '../../commands/shared/command.ts';
import { positionalFlag } from '../../commands/shared/flag.ts';
import type { ShellName } from './scripts.ts';

const SHELLS: readonly ShellName[] = ['bash', 'zsh', 'fish', 'powershell'];

/** The flags of `tsreg completions`, and its run. */
export const COMPLETIONS: Command = {
  name: 'completions',
  about: 'Print a completion script for a shell',
  supportedGlobalFlags: [],
  flags: [
    positionalFlag('shell', 'SHELL', {
      kind: 'value',
      isRequired: true,
      values: SHELLS,
      help: 'Shell that the script is for',
    }),
  ],
  run,
};

async function run({ values, shell }: Invocation): Promise<void> {
  const { completionScript } = await import('./scripts.ts');
  const value = requiredValueOf(values, 'shell');
  const name = SHELLS.find((shellName) => shellName === value);
  shell.writeOut(completionScript(present(name, 'the name of a shell')));
}
