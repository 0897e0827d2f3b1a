/** `download`: saves the `.crate` files of published crates, or their content. */
import { interruptible } from '../../io/terminal/interruption.ts';
import { escapeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { type Command, isGiven, type Invocation, valueOf, valuesOf } from '../shared/command.ts';
import { positionalFlag, switchFlag, valueFlag } from '../shared/flag.ts';
import { registryFlags, SILENT_SUGGESTION } from '../shared/common-flags.ts';

/** The flags of `tsreg download`, and its run. */
export const DOWNLOAD: Command = {
  name: 'download',
  about: 'Save the `.crate` file of a published crate',
  supportedGlobalFlags: ['verbose', 'quiet', 'color', 'offline', 'frozen', 'config'],
  network: 'optional',
  flags: [
    positionalFlag('crates', 'SPEC', {
      isRequired: true,
      help: 'Crate to download, such as `log` or `log@0.4.20`',
    }),
    valueFlag('output', 'DIR', {
      short: 'o',
      refusesEmpty: true,
      help: 'Folder to write to [default: the current folder]',
    }),
    switchFlag('extract', 'Write the content as a folder instead of the `.crate` file', { short: 'x' }),
    ...registryFlags({ index: 'Index URL of the registry to use', registry: 'Name of the registry to use' }),
    switchFlag('json', 'Print the result as JSON'),
    SILENT_SUGGESTION,
  ],
  annotatesErrors: true,
  run,
};

async function run({ values, config, offline, shell }: Invocation): Promise<void> {
  const { download } = await import('./run.ts');
  const options = {
    config,
    crates: valuesOf(values, 'crates'),
    output: valueOf(values, 'output'),
    extract: isGiven(values, 'extract'),
    registry: { registry: valueOf(values, 'registry'), index: valueOf(values, 'index') },
    locked: isGiven(values, 'locked'),
    frozen: isGiven(values, 'frozen'),
    offline,
    verbosity: shell.verbosity,
  };
  const { document, shownPaths } = await interruptible((signal) =>
    download(options, { report: shell, signal }),
  );
  if (isGiven(values, 'json')) shell.writeOut(`${JSON.stringify(document)}\n`);
  else for (const path of shownPaths) shell.writeOut(`${escapeForTerminal(path)}\n`);
}
