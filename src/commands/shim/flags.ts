/** `shim`: creates a `cargo` command that runs this program. */
import { type Command, type Invocation, isGiven, listedNames, requiredValueOf } from '../shared/command.ts';
import { positionalFlag, switchFlag } from '../shared/flag.ts';
import { isStandalone, programFile } from '../../io/programs/program-file.ts';
import { SILENT_SUGGESTION } from '../shared/common-flags.ts';

/** The flags of `tsreg shim`, and its run. */
export const SHIM: Command = {
  name: 'shim',
  about: 'Create a `cargo` command that runs tsreg where it can',
  supportedGlobalFlags: ['quiet', 'color'],
  flags: [
    positionalFlag('folder', 'DIR', {
      kind: 'value',
      help: 'Folder for the command; created if it does not exist',
      isRequired: true,
      refusesEmpty: true,
    }),
    switchFlag('force', 'Replace another program of the same name'),
    switchFlag('json', 'Print the created files as JSON'),
    SILENT_SUGGESTION,
  ],
  run,
};

async function run({ values, config, shell, commands }: Invocation): Promise<void> {
  const { writeShim } = await import('./run.ts');
  const written = await writeShim({
    config,
    folder: requiredValueOf(values, 'folder'),
    program: programFile(),
    isStandalone,
    commands: listedNames(commands),
    force: isGiven(values, 'force'),
  });
  if (isGiven(values, 'json')) {
    shell.writeOut(`${JSON.stringify(written)}\n`);
    return;
  }
  for (const file of written.files) shell.status('Wrote', file);
  if (written.cargo === null) {
    shell.note('no other cargo is on the PATH: commands that tsreg does not have will fail');
  } else shell.note(`commands that tsreg does not have go to ${written.cargo}`);
  if (written.is_first_on_path) return;
  const { pathLine } = await import('./path-line.ts');
  shell.note('put its folder at the front of the PATH:');
  shell.writeText(`${pathLine(written.folder, config.env)}\n`);
}
