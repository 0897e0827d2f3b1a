/** `serve token`: a token for a user of a registry of one's own, also while it is served. */
import { TsregError } from '../../errors/error.ts';
import { type Command, type Invocation, valueOf, valuesOf } from '../command.ts';
import { valueFlag } from '../flag.ts';
import { START_PATIENCE_MS, STORE_FLAGS, STORE_HEEDS, storeLocation } from '../serve-flags.ts';

/** The command. */
export const SERVE_TOKEN: Command = {
  name: 'token',
  about: 'Make a token, and its user if there is none of that login',
  heeds: STORE_HEEDS,
  flags: [
    valueFlag('user', 'LOGIN', { help: 'Whose token it is', isRequired: true, refusesEmpty: true }),
    valueFlag('name', 'N', { help: 'What to call the token' }),
    valueFlag('expires', 'TIME', { help: 'How long it is good: 90d, 12h, 30m [default: for ever]' }),
    valueFlag('scope', 'SCOPES', {
      kind: 'list',
      delimiter: ',',
      help: 'What it may be used for [default: everything]',
      values: ['read', 'publish-new', 'publish-update', 'yank', 'owners'],
    }),
    valueFlag('crate', 'PATTERN', {
      kind: 'list',
      help: 'Crates that it may change: a name, or the beginning of names and `*` [default: all]',
    }),
    ...STORE_FLAGS,
  ],
  run,
};

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

async function run(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const expires = valueOf(values, 'expires');
  const expiresAfterMs = expires === null ? null : parseDuration(expires);
  const [{ openExistingStore }, { makeToken }, { TOKEN_SCOPES }] = await Promise.all([
    import('../../server/open-existing-store.ts'),
    import('../../server/make-token.ts'),
    import('../../server/tokens.ts'),
  ]);
  const scopes = valuesOf(values, 'scope');
  const { records, close } = await openExistingStore(storeLocation(invocation), invocation.config.env, {
    patienceMs: START_PATIENCE_MS,
  });
  try {
    const context = { records, clock: { now: () => Date.now() } };
    const secret = await makeToken(context, {
      login: valueOf(values, 'user') ?? '',
      name: valueOf(values, 'name') ?? 'command line',
      scopes: TOKEN_SCOPES.filter((scope) => scopes.includes(scope)),
      cratePatterns: valuesOf(values, 'crate'),
      expiresAfterMs,
    });
    shell.writeOut(`${secret}\n`);
  } finally {
    await close();
  }
}

function parseDuration(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit === 's' || unit === 'm' || unit === 'h' || unit === 'd') return Number(count) * UNIT_MS[unit];
  throw new TsregError(
    `invalid value \`${text}\` for \`--expires\`: expected days, hours or minutes, as in \`90d\``,
    {
      code: 'usage',
    },
  );
}
