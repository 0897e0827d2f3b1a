/** `serve publisher`: manages the CI jobs that may publish without a stored token. A server may be running. */
import { TsregError } from '../../core/errors/error.ts';
import {
  type Command,
  type Invocation,
  isGiven,
  requiredValueOf,
  valueOf,
  valuesOf,
} from '../shared/command.ts';
import { positionalFlag, switchFlag, valueFlag } from '../shared/flag.ts';
import { STORE_FLAGS, STORE_GLOBAL_FLAGS } from './store-flags.ts';
import { tableRow } from './table-row.ts';
import { withStore } from './with-store.ts';

const ADD: Command = {
  name: 'add',
  about: 'Add a trusted publisher',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: [
    valueFlag('issuer', 'URL', {
      help: 'URL of the issuer that signs the JWTs of the CI jobs',
      isRequired: true,
      refusesEmpty: true,
    }),
    valueFlag('claim', 'KEY=VALUE', {
      kind: 'list',
      isRequired: true,
      help: 'Claim that the JWT must have; the value can be a prefix and `*`; may be repeated',
    }),
    valueFlag('crate', 'PATTERN', {
      kind: 'list',
      isRequired: true,
      help: 'Crate that the CI job may publish: a name, or a prefix and `*`; may be repeated',
    }),
    valueFlag('user', 'LOGIN', {
      help: 'User to publish as [default: the first owner of the first crate, which must exist]',
      refusesEmpty: true,
    }),
    ...STORE_FLAGS,
  ],
  run: add,
};

const LIST: Command = {
  name: 'list',
  about: 'List the trusted publishers',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: STORE_FLAGS,
  run: list,
};

const REMOVE: Command = {
  name: 'remove',
  about: 'Remove a trusted publisher, and revoke the tokens of all CI jobs with the same issuer and user',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: [
    positionalFlag('number', 'NUMBER', {
      kind: 'value',
      isRequired: true,
      refusesEmpty: true,
      help: 'Number of the publisher in the list',
    }),
    ...STORE_FLAGS,
  ],
  run: remove,
};

const ONLY: Command = {
  name: 'only',
  about: 'Accept new versions and documentation of a crate only from trusted publishers',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: [
    positionalFlag('crate', 'CRATE', {
      kind: 'value',
      isRequired: true,
      refusesEmpty: true,
      help: 'Name of the crate',
    }),
    switchFlag('off', 'Accept new versions and documentation from other tokens again'),
    ...STORE_FLAGS,
  ],
  run: only,
};

/** The command. Without a subcommand it prints the list. */
export const SERVE_PUBLISHER: Command = {
  name: 'publisher',
  about: 'Manage trusted publishers: CI jobs that publish without a stored token',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: STORE_FLAGS,
  subcommands: [ADD, LIST, REMOVE, ONLY],
  run: list,
};

async function add(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const { addPublisher, parseClaim } = await import('../../server/trusted/publishers.ts');
  const claims = valuesOf(values, 'claim').map((text) => {
    const claim = parseClaim(text);
    if (claim !== null) return claim;
    throw new TsregError(`invalid value \`${text}\` for \`--claim\`: expected \`KEY=VALUE\``, {
      code: 'usage',
    });
  });
  await withStore(invocation, async ({ records }) => {
    const { id } = await addPublisher(
      { records, clock: { now: () => Date.now() } },
      {
        issuer: requiredValueOf(values, 'issuer'),
        claims,
        cratePatterns: valuesOf(values, 'crate'),
        login: valueOf(values, 'user'),
        actor: null,
      },
    );
    shell.writeOut(`${id}\n`);
  });
}

async function list(invocation: Invocation): Promise<void> {
  const { describeClaims } = await import('../../server/trusted/publishers.ts');
  await withStore(invocation, async ({ records }) => {
    for (const { id, issuer, claims, cratePatterns, user } of await records.listPublishers()) {
      const columns = [id, issuer, describeClaims(claims), cratePatterns.join(' '), user.login];
      invocation.shell.writeOut(tableRow(columns));
    }
  });
}

async function remove(invocation: Invocation): Promise<void> {
  await withStore(invocation, async ({ records }) => {
    const number = requiredValueOf(invocation.values, 'number');
    // No publisher has the number 0, so other text leads to the error for an unknown number.
    const id = /^\d{1,15}$/.test(number) ? Number(number) : 0;
    const removed = await records.deletePublisher({ id, atMs: Date.now(), actor: null });
    if (removed === null) {
      throw new TsregError(
        `there is no publisher with the number ${number}: \`serve publisher list\` shows them`,
        { code: 'not-found' },
      );
    }
    invocation.shell.status('Removed', `publisher ${id} of user ${removed.user.login}`);
  });
}

async function only(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  await withStore(invocation, async ({ records }) => {
    const crate = requiredValueOf(values, 'crate');
    const isTrustedOnly = !isGiven(values, 'off');
    const outcome = await records.setTrustedOnly({ crate, isTrustedOnly, atMs: Date.now(), actor: null });
    if (outcome.kind === 'no-crate' || outcome.kind === 'not-owner') {
      throw new TsregError(`there is no crate \`${crate}\``, { code: 'not-found' });
    }
    const rule = isTrustedOnly
      ? 'only trusted publishing can add versions'
      : 'tokens of owners can add versions too';
    shell.status(outcome.kind === 'changed' ? 'Changed' : 'Unchanged', `${outcome.crate.name}: ${rule}`);
  });
}
