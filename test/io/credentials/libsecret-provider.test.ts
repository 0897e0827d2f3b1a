import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askLibsecretProvider } from '../../../src/io/credentials/libsecret-provider.ts';
import {
  GET,
  INDEX_URL,
  loginWith,
  logoutAction,
  providerContext,
  requestOf,
  scriptedDialog,
} from '../../helpers/provider-request.ts';
import {
  type SecretServiceMock,
  type SecretServiceOptions,
  startSecretService,
} from '../../helpers/secret-service.ts';
import { onWindows } from '../../helpers/system.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

const ITEM = {
  label: 'cargo-registry:mock',
  attributes: { url: INDEX_URL, 'xdg:schema': 'org.rust-lang.cargo.registry' },
};

let temp: TempDir;
let service: SecretServiceMock | null = null;

beforeEach(() => {
  temp = makeTempDir('secrets');
});
afterEach(async () => {
  await service?.[Symbol.asyncDispose]();
  service = null;
  temp.remove();
});

async function start(options: SecretServiceOptions = {}) {
  service = await startSecretService(path.join(temp.path, 'bus socket'), options);
  const address = service.address.replace(' ', '%20');
  return {
    service,
    context: providerContext({ DBUS_SESSION_BUS_ADDRESS: `tcp:host=x;${address}` }, temp.path),
  };
}

// The bus is a Unix socket.
describe.skipIf(onWindows)('a secret service (not on Windows: no D-Bus)', () => {
  it('stores a token under the names that cargo uses', async () => {
    const { service: held, context } = await start();
    expect(await askLibsecretProvider(requestOf(GET), context)).toEqual({ kind: 'not-found' });
    expect(await askLibsecretProvider(requestOf(loginWith('one')), context)).toEqual({ kind: 'login' });
    expect(await askLibsecretProvider(requestOf(loginWith('two-é')), context)).toEqual({ kind: 'login' });
    expect(held.secrets).toEqual([{ ...ITEM, value: 'two-é' }]);
    const answer = await askLibsecretProvider(requestOf(GET), context);
    expect(answer).toMatchObject({ kind: 'get', cache: 'session', isOperationIndependent: true });
    expect('token' in answer && answer.token.expose()).toBe('two-é');
    expect(await askLibsecretProvider(requestOf(logoutAction()), context)).toEqual({ kind: 'logout' });
    expect(held.secrets).toEqual([]);
  });

  it('stores the token that the user enters if none was given', async () => {
    const { service: held, context } = await start();
    const dialog = scriptedDialog(['typed']);
    const action = { kind: 'login', token: null, loginUrl: 'https://registry.example/me', dialog } as const;
    await askLibsecretProvider(requestOf(action), context);
    expect(dialog.said).toEqual(['please paste the token found on https://registry.example/me below']);
    expect(held.secrets).toEqual([{ ...ITEM, value: 'typed' }]);
  });

  it('is unlocked with its own prompt', async () => {
    const { service: held, context } = await start({ isLocked: true });
    held.secrets.push({ ...ITEM, value: 'locked up' });
    const answer = await askLibsecretProvider(requestOf(GET), context);
    expect('token' in answer && answer.token.expose()).toBe('locked up');
    expect(held.calls).toContain('Prompt');
  });

  it('creates its first collection with a prompt', async () => {
    const { service: held, context } = await start({ isNew: true });
    await askLibsecretProvider(requestOf(loginWith('one')), context);
    expect(held.calls).toEqual(
      expect.arrayContaining(['ReadAlias', 'CreateCollection', 'AddMatch', 'Prompt', 'CreateItem']),
    );
    expect(held.secrets).toEqual([{ ...ITEM, value: 'one' }]);
  });

  it('reports a dismissed prompt', async () => {
    const { service: held, context } = await start({ isLocked: true, dismisses: true });
    held.secrets.push({ ...ITEM, value: 'locked up' });
    await expect(askLibsecretProvider(requestOf(GET), context)).rejects.toThrow(
      'failed to get token: the prompt of the secret service was dismissed',
    );
  });

  it('reports its own error', async () => {
    const { context } = await start({ error: 'The name org.freedesktop.secrets was not provided' });
    await expect(askLibsecretProvider(requestOf(logoutAction()), context)).rejects.toThrow(
      'failed to erase token: The name org.freedesktop.secrets was not provided',
    );
  });

  it('reports a bus that refuses the client', async () => {
    const { context } = await start({ greeting: 'REJECTED EXTERNAL\r\n' });
    await expect(askLibsecretProvider(requestOf(loginWith('x')), context)).rejects.toThrow(
      'failed to store token: the bus does not let us in',
    );
  });

  it.each([
    [{}, 'there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set'],
    [
      { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/does/not/exist' },
      'Could not connect: No such file or directory',
    ],
    [{ XDG_RUNTIME_DIR: '/does/not/exist' }, 'Could not connect: No such file or directory'],
  ])('reports a missing bus: %j', async (env, reason) => {
    await expect(askLibsecretProvider(requestOf(GET), providerContext(env, temp.path))).rejects.toThrow(
      `failed to get token: ${reason}`,
    );
  });
});
