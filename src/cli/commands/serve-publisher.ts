/** `serve publisher`: whose CI jobs may publish to a registry of one's own without a token, also while it is served. */
import { TsregError } from '../../errors/error.ts';
import { type Command, type Invocation, isGiven, valueOf, valuesOf } from '../command.ts';
import { positionalFlag, switchFlag, valueFlag } from '../flag.ts';
import { STORE_FLAGS, STORE_HEEDS, storeLocation } from '../serve-flags.ts';

const ADD: Command = {
  name: 'add',
  about: 'Take the word of an issuer for what publishes a crate',
  heeds: STORE_HEEDS,
  flags: [
    valueFlag('issuer', 'URL', { help: 'Who signs', isRequired: true, refusesEmpty: true }),
    valueFlag('claim', 'KEY=VALUE', {
      kind: 'list',
      isRequired: true,
      help: 'What must be said of a job; a value may be the beginning of one and `*`',
    }),
    valueFlag('crate', 'PATTERN', {
      kind: 'list',
      isRequired: true,
      help: 'Crates that may be published: a name, or the beginning of names and `*`',
    }),
    valueFlag('user', 'LOGIN', {
      help: 'In whose name [default: the first owner of the crate]',
      refusesEmpty: true,
    }),
    ...STORE_FLAGS,
  ],
  run: add,
};

const LIST: Command = {
  name: 'list',
  about: 'Print number, issuer, claims, crates and user of each',
  heeds: STORE_HEEDS,
  flags: STORE_FLAGS,
  run: list,
};

const REMOVE: Command = {
  name: 'remove',
  about: 'Take the word of an issuer no longer, and revoke tokens that it led to',
  heeds: STORE_HEEDS,
  flags: [
    positionalFlag('number', 'NUMBER', {
      kind: 'value',
      isRequired: true,
      refusesEmpty: true,
      help: 'Which, by its number in the list',
    }),
    ...STORE_FLAGS,
  ],
  run: remove,
};

const ONLY: Command = {
  name: 'only',
  about: 'Let trusted publishing alone add versions to a crate',
  heeds: STORE_HEEDS,
  flags: [
    positionalFlag('crate', 'CRATE', { kind: 'value', isRequired: true, refusesEmpty: true, help: 'Which' }),
    switchFlag('off', 'Let all tokens of its owners add versions again'),
    ...STORE_FLAGS,
  ],
  run: only,
};

/** The command; by itself it prints the list. */
export const SERVE_PUBLISHER: Command = {
  name: 'publisher',
  about: 'Let CI jobs publish with the identity that their CI system gives them',
  heeds: STORE_HEEDS,
  flags: STORE_FLAGS,
  subcommands: [ADD, LIST, REMOVE, ONLY],
  run: list,
};

async function add(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const [{ openExistingStore }, { addPublisher, parseClaim }] = await Promise.all([
    import('../../server/open-existing-store.ts'),
    import('../../server/trusted/publishers.ts'),
  ]);
  const claims = valuesOf(values, 'claim').map((text) => {
    const claim = parseClaim(text);
    if (claim !== null) return claim;
    throw new TsregError(`invalid value \`${text}\` for \`--claim\`: expected \`KEY=VALUE\``, {
      code: 'usage',
    });
  });
  const { records, close } = await openExistingStore(storeLocation(invocation), invocation.config.env);
  try {
    const { id } = await addPublisher(
      { records, clock: { now: () => Date.now() } },
      {
        issuer: valueOf(values, 'issuer') ?? '',
        claims,
        cratePatterns: valuesOf(values, 'crate'),
        login: valueOf(values, 'user'),
        actor: null,
      },
    );
    shell.writeOut(`${id}\n`);
  } finally {
    await close();
  }
}

async function list(invocation: Invocation): Promise<void> {
  const [{ openExistingStore }, { describeClaims }] = await Promise.all([
    import('../../server/open-existing-store.ts'),
    import('../../server/trusted/publishers.ts'),
  ]);
  const { records, close } = await openExistingStore(storeLocation(invocation), invocation.config.env);
  try {
    for (const { id, issuer, claims, cratePatterns, user } of await records.listPublishers()) {
      const columns = [id, issuer, describeClaims(claims), cratePatterns.join(' '), user.login];
      invocation.shell.writeOut(`${columns.join('\t')}\n`);
    }
  } finally {
    await close();
  }
}

async function remove(invocation: Invocation): Promise<void> {
  const { openExistingStore } = await import('../../server/open-existing-store.ts');
  const { records, close } = await openExistingStore(storeLocation(invocation), invocation.config.env);
  try {
    const number = valueOf(invocation.values, 'number') ?? '';
    const id = /^\d{1,15}$/.test(number) ? Number(number) : 0;
    const removed = await records.deletePublisher({ id, atMs: Date.now(), actor: null });
    if (removed === null) {
      throw new TsregError(
        `there is no publisher with the number ${number}: \`serve publisher list\` says which there are`,
        { code: 'not-found' },
      );
    }
    invocation.shell.status('Removed', `publisher ${id} of user ${removed.user.login}`);
  } finally {
    await close();
  }
}

async function only(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const { openExistingStore } = await import('../../server/open-existing-store.ts');
  const { records, close } = await openExistingStore(storeLocation(invocation), invocation.config.env);
  try {
    const crate = valueOf(values, 'crate') ?? '';
    const isTrustedOnly = !isGiven(values, 'off');
    const outcome = await records.setTrustedOnly({ crate, isTrustedOnly, atMs: Date.now(), actor: null });
    if (outcome.kind === 'no-crate' || outcome.kind === 'not-owner') {
      throw new TsregError(`there is no crate \`${crate}\``, { code: 'not-found' });
    }
    const who = isTrustedOnly
      ? 'trusted publishing alone adds versions'
      : 'tokens of owners add versions, too';
    shell.status(outcome.kind === 'changed' ? 'Changed' : 'Unchanged', `${outcome.crate.name}: ${who}`);
  } finally {
    await close();
  }
}
