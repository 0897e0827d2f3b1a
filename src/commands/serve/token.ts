/** `serve token`: creates, lists and revokes tokens of a private registry. A server may be running. */
import { TsregError } from '../../core/errors/error.ts';
import type { TOKEN_SCOPES } from '../../server/auth/tokens.ts';
import { type Command, type Invocation, requiredValueOf, valueOf, valuesOf } from '../shared/command.ts';
import { valueFlag } from '../shared/flag.ts';
import { STARTUP_TIMEOUT_MS, STORE_FLAGS, STORE_GLOBAL_FLAGS } from './store-flags.ts';
import { TOKEN_LIST } from './token-list.ts';
import { TOKEN_REVOKE } from './token-revoke.ts';
import { withStore } from './with-store.ts';

/** The values of `--scope`. A word that is not in `TOKEN_SCOPES` would be ignored, and no scope means all. */
const SCOPES: typeof TOKEN_SCOPES = ['read', 'publish-new', 'publish-update', 'yank', 'owners'];

/** The command. Without a subcommand it creates a token. */
export const SERVE_TOKEN: Command = {
  name: 'token',
  about: 'Create a token, and its user if needed',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: [
    valueFlag('user', 'LOGIN', { help: 'Login of the user', isRequired: true, refusesEmpty: true }),
    valueFlag('name', 'NAME', { help: 'Name of the token' }),
    valueFlag('expires', 'TIME', { help: 'Lifetime, such as 90d, 12h or 30m [default: unlimited]' }),
    valueFlag('scope', 'SCOPES', {
      kind: 'list',
      delimiter: ',',
      help: 'Actions that the token permits, separated by commas [default: all]',
      values: SCOPES,
    }),
    valueFlag('crate', 'PATTERN', {
      kind: 'list',
      help: 'Crate that the token may change: a name, or a prefix and `*`; may be repeated [default: all]',
    }),
    ...STORE_FLAGS,
  ],
  subcommands: [TOKEN_LIST, TOKEN_REVOKE],
  run,
};

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

async function run(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const expires = valueOf(values, 'expires');
  const expiresAfterMs = expires === null ? null : parseLifetime(expires);
  const { makeToken } = await import('../../server/admin/make-token.ts');
  const scopes = valuesOf(values, 'scope');
  await withStore(
    invocation,
    async ({ records }) => {
      const context = { records, clock: { now: () => Date.now() } };
      const secret = await makeToken(context, {
        login: requiredValueOf(values, 'user'),
        name: valueOf(values, 'name') ?? 'command line',
        scopes: SCOPES.filter((scope) => scopes.includes(scope)),
        cratePatterns: valuesOf(values, 'crate'),
        expiresAfterMs,
      });
      shell.writeOut(`${secret}\n`);
    },
    { startupTimeoutMs: STARTUP_TIMEOUT_MS },
  );
}

/**
 * Parses the lifetime of a token. `parseDuration` is for waiting, so it has no days, ends at the 24 days of a timer and
 * reads `90` as seconds. A lifetime is usually in days, may be years, and must have a unit: `90` could mean days.
 */
function parseLifetime(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (Number(count) === 0) throw invalidLifetime(text, 'the token would expire at once');
  if (unit === 's' || unit === 'm' || unit === 'h' || unit === 'd') return Number(count) * UNIT_MS[unit];
  throw invalidLifetime(text, 'expected days, hours or minutes, as in `90d`');
}

function invalidLifetime(text: string, reason: string): TsregError {
  return new TsregError(`invalid value \`${text}\` for \`--expires\`: ${reason}`, { code: 'usage' });
}
