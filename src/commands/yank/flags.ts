/** `yank`: yanks or unyanks versions in a registry. Cargo Book: cargo-yank(1). */
import { type Command, isGiven, type Invocation, valueOf } from '../shared/command.ts';
import { documentLine } from '../shared/document-line.ts';
import { positionalFlag, rejectedFlag, switchFlag, valueFlag } from '../shared/flag.ts';
import { interruptible } from '../../io/terminal/interruption.ts';
import {
  cratesCommandOptions,
  MAX_WAIT_FLAG,
  TOKEN_FLAG,
  YES_FLAG,
} from '../shared/registry/command-options.ts';
import { registryFlags, SILENT_SUGGESTION } from '../shared/common-flags.ts';

/** The flags of `tsreg yank`, and its run. */
export const YANK: Command = {
  name: 'yank',
  about: 'Keep new projects from using a version',
  cargoAbout: 'Remove a pushed crate from the index',
  supportedGlobalFlags: ['verbose', 'quiet', 'color', 'config'],
  network: 'required',
  flags: [
    positionalFlag('crate', 'CRATE', {
      isSingleInCargo: true,
      help: 'Crate to yank, such as `foo@1.0.2`; the version may be a range',
      cargoHelp: 'Crate to yank from, with its version as `CRATE@VERSION` or by `--version`',
    }),
    valueFlag('version', 'VERSION', {
      help: 'Version to yank or unyank, if CRATE has none',
      cargoHelp: 'The version to yank or un-yank',
      alias: 'vers',
    }),
    switchFlag('undo', 'Unyank: let new projects use the version again', {
      cargoHelp: 'Undo a yank, putting a version back into the index',
    }),
    ...registryFlags({ index: 'Registry index URL to yank from', registry: 'Registry to yank from' }),
    TOKEN_FLAG,
    switchFlag('workspace', 'Yank the current versions of all workspace members'),
    valueFlag('reason', 'TEXT', { help: 'Reason to store with the yank, if the registry supports it' }),
    YES_FLAG,
    MAX_WAIT_FLAG,
    switchFlag('json', 'Print the result as JSON'),
    SILENT_SUGGESTION,
    rejectedFlag('message', { flag: '--reason' }, { isAbsentInCargo: true }),
    rejectedFlag(
      'unsupported-short-reason',
      { flag: '--reason' },
      { long: null, short: 'm', isAbsentInCargo: true },
    ),
    rejectedFlag('unyank', { flag: '--undo' }, { isAbsentInCargo: true }),
  ],
  annotatesErrors: true,
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const { yank } = await import('./run.ts');
  const options = {
    ...cratesCommandOptions(invocation),
    version: valueOf(values, 'version'),
    undo: isGiven(values, 'undo'),
    reason: valueOf(values, 'reason'),
  };
  const { failure } = await interruptible(async (signal) => {
    const result = await yank(options, { report: shell, signal });
    if (isGiven(values, 'json')) shell.writeOut(documentLine(result.document));
    return result;
  });
  if (failure !== null) throw failure;
}
