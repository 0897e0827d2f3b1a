import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/server/admin/open-store.ts';
import type { AuditEntry } from '../../src/server/store/values.ts';
import { type RunResult, runProgram, tsregProgram } from '../helpers/program.ts';
import { serveEnv, type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { testLocation } from '../helpers/test-location.ts';

const temp = makeTempDir('serve-tokens');
const data = path.join(temp.path, 'data');
let registry: ServedRegistry;
/** The secrets of tokens 1 to 3. */
let secrets: readonly string[];

async function serve(...words: readonly string[]): Promise<RunResult> {
  const args = ['serve', ...words, '--data', data];
  const env = { PATH: process.env['PATH'] ?? '', HOME: temp.path, ...(await serveEnv(args)) };
  return await runProgram(tsregProgram(), args, { cwd: temp.path, env });
}

/** Returns true if the running server accepts a token. */
async function isAccepted(secret: string): Promise<boolean> {
  return (await fetch(`${registry.url}/api/v1/me`, { headers: { authorization: secret } })).ok;
}

/** Stops the server, whose SQLite can differ from the one of this process, and returns the audit entries. */
async function stopAndReadRevocations(): Promise<readonly AuditEntry[]> {
  await registry.stop();
  const place = await testLocation(data);
  const store = await openStore(place.location, place.env);
  const { items } = await store.records.listAudit({ action: 'revoke-token' }, { limit: 9, offset: 0 });
  await store.close();
  return items;
}

beforeAll(async () => {
  registry = await serveRegistry(data);
  secrets = [
    (await serve('token', '--user', 'zoe', '--name', 'lap\ttop')).stdout.trim(),
    (await serve('token', '--user', 'bob', '--scope', 'read,yank', '--crate', 'mug*')).stdout.trim(),
    (await serve('token', '--user', 'bob', '--expires', '90d', '--name', 'list')).stdout.trim(),
  ];
});

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  temp.remove();
});

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('serve token list', () => {
  it('prints one line for each token, by user, without secrets', async () => {
    const { status, stdout, stderr } = await serve('token', 'list');
    expect([status, stderr]).toEqual([0, '']);
    const all = 'read,publish-new,publish-update,yank,owners';
    expect(stdout.split('\n').map((line) => line.split('\t'))).toEqual([
      ['2', 'bob', 'command line', 'read,yank', 'mug*', TIME, 'never', 'never', 'usable'],
      ['3', 'bob', 'list', all, '*', TIME, 'never', TIME, 'usable'],
      ['1', 'zoe', 'lap top', all, '*', TIME, 'never', 'never', 'usable'],
      [''],
    ]);
  });

  it('prints a JSON document, of all tokens or those of a user', async () => {
    const { stdout } = await serve('token', 'list', '--json', '--user', 'BOB');
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      tokens: [
        {
          ...{ id: 2, user: 'bob', name: 'command line', scopes: ['read', 'yank'], crates: ['mug*'] },
          ...{ state: 'usable', created_at: TIME, last_used_at: null, expires_at: null },
        },
        { id: 3, expires_at: TIME },
      ],
    });
    const all = (await serve('token', 'list', '--json')).stdout;
    expect(JSON.parse(all).tokens).toHaveLength(3);
    for (const secret of secrets) expect(all).not.toContain(secret.slice(6));
  });

  it('refuses an unknown user', async () => {
    const { status, stdout, stderr } = await serve('token', 'list', '--user', 'nobody');
    expect([status, stdout, stderr]).toEqual([101, '', 'error: there is no user `nobody`\n']);
  });
});

describe('serve token revoke', () => {
  it('revokes nothing if one of the tokens does not exist', async () => {
    for (const wrong of ['99', 'x', '1.5', '1e0']) {
      const { status, stdout, stderr } = await serve('token', 'revoke', '1', wrong);
      expect([status, stdout]).toEqual([101, '']);
      expect(stderr).toContain(
        `there is no token with the ID \`${wrong}\`: \`serve token list\` shows the IDs`,
      );
    }
    expect(await Promise.all(secrets.map(isAccepted))).toEqual([true, true, true]);
  });

  it('makes a running server refuse the tokens', async () => {
    const revoked = await serve('token', 'revoke', '1', '3', '1');
    expect([revoked.status, revoked.stdout]).toEqual([0, '']);
    expect(revoked.stderr).toContain('Revoked token 3 `list` of user bob');
    expect(await Promise.all(secrets.map(isAccepted))).toEqual([false, true, false]);
    const again = await serve('token', 'revoke', '3');
    expect([again.status, again.stderr]).toEqual([0, expect.stringContaining('Unchanged token 3')]);
    const states = (await serve('token', 'list')).stdout.split('\n').map((line) => line.split('\t').at(-1));
    expect(states).toEqual(['usable', 'revoked', 'revoked', '']);
  });

  it('writes one audit entry for each token', async () => {
    expect(await stopAndReadRevocations()).toMatchObject([
      { actor: null, tokenId: 3, subject: 'bob', detail: 'list' },
      { actor: null, tokenId: 1, subject: 'zoe' },
    ]);
  });

  it('needs an ID', async () => {
    const { status, stderr } = await serve('token', 'revoke');
    expect([status, stderr]).toEqual([101, expect.stringContaining('<ID>...')]);
  });
});
