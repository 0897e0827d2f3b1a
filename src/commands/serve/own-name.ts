/** `serve own-name`: manages reserved names, which never come from the upstream. A server may be running. */
import { TsregError } from '../../core/errors/error.ts';
import { type Command, type Invocation, requiredValueOf, valueOf } from '../shared/command.ts';
import { type Flag, positionalFlag, valueFlag } from '../shared/flag.ts';
import { STORE_FLAGS, STORE_GLOBAL_FLAGS } from './store-flags.ts';
import { tableRow } from './table-row.ts';
import { withStore } from './with-store.ts';

const ADD: Command = {
  name: 'add',
  about: 'Reserve a name for this registry',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: [
    nameFlag(),
    valueFlag('reason', 'TEXT', { help: 'Reason to record in the audit trail' }),
    ...STORE_FLAGS,
  ],
  run: add,
};

const LIST: Command = {
  name: 'list',
  about: 'List the reserved names with their reasons',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: STORE_FLAGS,
  run: list,
};

const REMOVE: Command = {
  name: 'remove',
  about: 'Release a reserved name',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: [
    nameFlag(),
    valueFlag('reason', 'TEXT', { help: 'Reason to record in the audit trail' }),
    ...STORE_FLAGS,
  ],
  run: remove,
};

/** The command. Without a subcommand it prints the list. */
export const SERVE_OWN_NAME: Command = {
  name: 'own-name',
  about: 'Manage reserved names: crates that a mirror never takes from its upstream registry',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: STORE_FLAGS,
  subcommands: [ADD, LIST, REMOVE],
  run: list,
};

async function add(invocation: Invocation): Promise<void> {
  const pattern = await patternOf(invocation);
  await withStore(invocation, async ({ records }) => {
    const isNew = await records.addReservedName({
      pattern,
      reason: valueOf(invocation.values, 'reason'),
      atMs: Date.now(),
    });
    invocation.shell.status(isNew ? 'Added' : 'Kept', `\`${pattern}\``);
  });
}

async function list(invocation: Invocation): Promise<void> {
  await withStore(invocation, async ({ records }) => {
    for (const { pattern, reason } of await records.listReservedNames()) {
      invocation.shell.writeOut(tableRow([pattern, reason ?? '']));
    }
  });
}

async function remove(invocation: Invocation): Promise<void> {
  const pattern = await patternOf(invocation);
  await withStore(invocation, async ({ records }) => {
    const change = { pattern, reason: valueOf(invocation.values, 'reason'), atMs: Date.now() };
    if (!(await records.removeReservedName(change))) {
      throw new TsregError(
        `the name \`${pattern}\` is not reserved: \`serve own-name list\` shows the reserved names`,
        { code: 'not-found' },
      );
    }
    invocation.shell.status('Removed', `\`${pattern}\``);
  });
}

function nameFlag(): Flag {
  return positionalFlag('name', 'NAME', {
    kind: 'value',
    isRequired: true,
    refusesEmpty: true,
    help: 'Name of a crate, or a prefix and `*`',
  });
}

async function patternOf({ values }: Invocation): Promise<string> {
  const { isCratePattern } = await import('../../server/auth/tokens.ts');
  const name = requiredValueOf(values, 'name');
  if (isCratePattern(name)) return name;
  throw new TsregError(`\`${name}\` is neither the name of a crate nor a pattern such as \`my-*\``, {
    code: 'usage',
  });
}
