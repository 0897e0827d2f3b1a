/** `serve token list`: lists tokens without their secrets. A server may be running. */
import type { ListedToken } from '../../server/admin/list-tokens.ts';
import { type Command, type Invocation, isGiven, valueOf } from '../shared/command.ts';
import { switchFlag, valueFlag } from '../shared/flag.ts';
import { STARTUP_TIMEOUT_MS, STORE_FLAGS, STORE_GLOBAL_FLAGS } from './store-flags.ts';
import { tableRow } from './table-row.ts';
import { withStore } from './with-store.ts';

/** The flags of `tsreg serve token list`, and its run. */
export const TOKEN_LIST: Command = {
  name: 'list',
  about: 'List the tokens, without their secrets',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: [
    valueFlag('user', 'LOGIN', { help: 'Only the tokens of this user', refusesEmpty: true }),
    switchFlag('json', 'Print the result as JSON'),
    ...STORE_FLAGS,
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const { listTokens } = await import('../../server/admin/list-tokens.ts');
  await withStore(
    invocation,
    async ({ records }) => {
      const isJson = isGiven(values, 'json');
      const tokens: ListedToken[] = [];
      for await (const token of listTokens(records, { login: valueOf(values, 'user'), nowMs: Date.now() })) {
        if (isJson) tokens.push(token);
        else shell.writeOut(rowOf(token));
      }
      if (isJson) shell.writeOut(`${JSON.stringify({ version: 1, tokens })}\n`);
    },
    { startupTimeoutMs: STARTUP_TIMEOUT_MS },
  );
}

function rowOf(token: ListedToken): string {
  const { id, user, name, scopes, crates, created_at, last_used_at, expires_at, state } = token;
  const times = [created_at, last_used_at ?? 'never', expires_at ?? 'never'];
  const patterns = crates.length === 0 ? '*' : crates.join(',');
  return tableRow([id, user, name, scopes.join(','), patterns, ...times, state]);
}
