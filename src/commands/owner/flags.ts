/** `owner`: manages the owners of a crate. Cargo Book: cargo-owner(1). */
import { type Command, isGiven, type Invocation, valuesOf } from '../shared/command.ts';
import { documentLine } from '../shared/document-line.ts';
import { positionalFlag, switchFlag, valueFlag } from '../shared/flag.ts';
import { interruptible } from '../../io/terminal/interruption.ts';
import { ownerList } from './print.ts';
import {
  cratesCommandOptions,
  MAX_WAIT_FLAG,
  TOKEN_FLAG,
  YES_FLAG,
} from '../shared/registry/command-options.ts';
import { registryFlags, SILENT_SUGGESTION } from '../shared/common-flags.ts';

/** The flags of `tsreg owner`, and its run. */
export const OWNER: Command = {
  name: 'owner',
  about: 'List, add and remove the owners of a crate',
  cargoAbout: 'Manage the owners of a crate on the registry',
  supportedGlobalFlags: ['verbose', 'quiet', 'color', 'config'],
  network: 'required',
  flags: [
    positionalFlag('crate', 'CRATE', {
      isSingleInCargo: true,
      help: 'Crate whose owners to list or change [default: the current package]',
      cargoHelp: 'Crate whose owners to manage',
    }),
    valueFlag('add', 'LOGIN', {
      short: 'a',
      kind: 'list',
      help: 'User or team to invite as an owner; may be repeated',
      cargoHelp: 'Name of a user or team to invite as an owner',
    }),
    valueFlag('remove', 'LOGIN', {
      short: 'r',
      kind: 'list',
      help: 'User or team to remove from the owners; may be repeated',
      cargoHelp: 'Name of a user or team to remove as an owner',
    }),
    switchFlag('list', 'List the owners [default without --add and --remove]', {
      cargoHelp: 'List owners of a crate',
      short: 'l',
    }),
    ...registryFlags({
      index: 'Registry index URL to modify owners for',
      registry: 'Registry to modify owners for',
    }),
    TOKEN_FLAG,
    switchFlag('workspace', 'Apply to all workspace members'),
    YES_FLAG,
    MAX_WAIT_FLAG,
    switchFlag('json', 'Print the result and the owners as JSON'),
    SILENT_SUGGESTION,
  ],
  annotatesErrors: true,
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, identity, shell } = invocation;
  const { owner } = await import('./run.ts');
  const add = valuesOf(values, 'add');
  const remove = valuesOf(values, 'remove');
  const isListDefault = identity.program !== 'cargo' && add.length + remove.length === 0;
  const options = {
    ...cratesCommandOptions(invocation),
    add,
    remove,
    list: isListDefault || isGiven(values, 'list'),
  };
  const { failure } = await interruptible(async (signal) => {
    const result = await owner(options, { report: shell, signal });
    if (isGiven(values, 'json')) shell.writeOut(documentLine(result.document));
    else shell.writeText(ownerList(result.document.crates));
    return result;
  });
  if (failure !== null) throw failure;
}
