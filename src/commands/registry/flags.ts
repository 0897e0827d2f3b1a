/** `registry`: lists, adds and removes the registries of the configuration. cargo has no such command. */
import { type Command, type Invocation, isGiven, requiredValueOf } from '../shared/command.ts';
import { SILENT_SUGGESTION } from '../shared/common-flags.ts';
import { type Flag, positionalFlag, switchFlag } from '../shared/flag.ts';
import { interruptible } from '../../io/terminal/interruption.ts';

const JSON_FLAG: Flag = switchFlag('json', 'Print the result as JSON');
const GLOBAL_FLAG: Flag = switchFlag('global', 'Edit the configuration in `CARGO_HOME`, for all projects');

/** The global flags of commands that only read and write files. */
const FILE_GLOBAL_FLAGS: readonly string[] = ['verbose', 'quiet', 'color', 'config'];

const LIST: Command = {
  name: 'list',
  about: 'List the registries of the configuration',
  supportedGlobalFlags: FILE_GLOBAL_FLAGS,
  flags: [JSON_FLAG, SILENT_SUGGESTION],
  annotatesErrors: true,
  run: list,
};

const ADD: Command = {
  name: 'add',
  about: 'Add a registry to a configuration file',
  supportedGlobalFlags: ['verbose', 'quiet', 'color', 'offline', 'frozen', 'config'],
  flags: [
    positionalFlag('name', 'NAME', { kind: 'value', isRequired: true, help: 'Name of the registry' }),
    positionalFlag('url', 'URL', {
      kind: 'value',
      isRequired: true,
      help: 'URL of its index, such as `sparse+https://crates.example.com/index/`',
    }),
    switchFlag('default', 'Use the registry for commands without `--registry`'),
    GLOBAL_FLAG,
    switchFlag('force', 'Replace another index with the same name'),
    switchFlag('no-check', 'Do not check that the index can be read'),
    SILENT_SUGGESTION,
  ],
  annotatesErrors: true,
  run: add,
};

const REMOVE: Command = {
  name: 'remove',
  about: 'Remove a registry from a configuration file',
  supportedGlobalFlags: FILE_GLOBAL_FLAGS,
  flags: [
    positionalFlag('name', 'REGISTRY', { kind: 'value', isRequired: true, help: 'Name of the registry' }),
    GLOBAL_FLAG,
    SILENT_SUGGESTION,
  ],
  annotatesErrors: true,
  run: remove,
};

/** The flags of `tsreg registry`, and its run. Without a subcommand it prints the list. */
export const REGISTRY: Command = {
  name: 'registry',
  about: 'List, add and remove registries in the configuration',
  supportedGlobalFlags: FILE_GLOBAL_FLAGS,
  flags: LIST.flags,
  subcommands: [LIST, ADD, REMOVE],
  annotatesErrors: true,
  run: list,
};

async function list({ values, config, shell }: Invocation): Promise<void> {
  const { listRegistries } = await import('./list.ts');
  const document = listRegistries(config, { report: shell });
  if (isGiven(values, 'json')) {
    shell.writeOut(`${JSON.stringify(document)}\n`);
    return;
  }
  const { registryListText } = await import('./print.ts');
  shell.writeText(registryListText(document));
}

async function add({ values, config, offline, shell, identity }: Invocation): Promise<void> {
  const { addRegistry } = await import('./add.ts');
  const name = requiredValueOf(values, 'name');
  const options = {
    config,
    name,
    url: requiredValueOf(values, 'url'),
    isDefault: isGiven(values, 'default'),
    isGlobal: isGiven(values, 'global'),
    isForced: isGiven(values, 'force'),
    isChecked: !isGiven(values, 'no-check'),
    locked: isGiven(values, 'locked'),
    frozen: isGiven(values, 'frozen'),
    offline,
    verbosity: shell.verbosity,
  };
  const { hasToken } = await interruptible((signal) => addRegistry(options, { report: shell, signal }));
  if (!hasToken) shell.noteCommand('to log in', `${identity.program} login --registry ${name}`);
}

async function remove({ values, config, shell }: Invocation): Promise<void> {
  const { removeRegistry } = await import('./remove.ts');
  const options = { config, name: requiredValueOf(values, 'name'), isGlobal: isGiven(values, 'global') };
  await interruptible((signal) => removeRegistry(options, { report: shell, signal }));
}
