import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CredentialResponse } from '../../../src/io/credentials/credential-request.ts';
import { askKeychainProvider } from '../../../src/io/credentials/keychain-provider.ts';
import { askWincredProvider } from '../../../src/io/credentials/wincred-provider.ts';
import { WINCRED_SCRIPT } from '../../../src/io/credentials/wincred-script.ts';
import {
  GET,
  INDEX_URL,
  loginWith,
  logoutAction,
  providerContext,
  requestOf,
} from '../../helpers/provider-request.ts';
import { onWindows } from '../../helpers/system.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('stores');
});
afterEach(() => temp.remove());

/** Installs a script on PATH that imitates a program of the operating system and keeps its items in `$STORE`. */
function install(name: string, text: string) {
  const file = path.join(temp.path, name);
  writeFileSync(file, `#!${process.execPath}\n${text}`);
  chmodSync(file, 0o755);
  const store = path.join(temp.path, 'store.json');
  const seen = path.join(temp.path, 'seen');
  const env = { PATH: temp.path, STORE: store, SEEN: seen };
  return {
    context: providerContext(env, temp.path),
    stored: (): unknown => (existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')) : null),
    /** Returns the command lines and environments of all runs. */
    seen: () => readFileSync(seen, 'utf8'),
  };
}

const COMMON = `
const fs = require('node:fs');
const { STORE, SEEN } = process.env;
fs.appendFileSync(SEEN, JSON.stringify([process.argv, process.env]) + '\\n');
const read = () => fs.existsSync(STORE) ? JSON.parse(fs.readFileSync(STORE, 'utf8')) : {};
const write = (items) => fs.writeFileSync(STORE, JSON.stringify(items));
`;

/** Imitates `security` of macOS: one command as arguments, or several on stdin with `-i`. */
const SECURITY = `${COMMON}
function split(line) {
  const words = [];
  for (const [, quoted, plain] of line.matchAll(/"((?:[^"\\\\]|\\\\.)*)"|(\\S+)/g))
    words.push(plain ?? quoted.replace(/\\\\(.)/g, '$1'));
  return words;
}
function perform([command, ...args]) {
  const valueOf = (flag) => args[args.indexOf(flag) + 1];
  const items = read();
  const service = valueOf('-s');
  if (command === 'add-generic-password') {
    if (process.env.REFUSES) { console.error('security: User interaction is not allowed. ' + valueOf('-w')); return 36; }
    items[service] = [valueOf('-a'), valueOf('-w')];
    write(items);
    return 0;
  }
  if (items[service] === undefined) { console.error('security: The specified item could not be found in the keychain.'); return 44; }
  if (command === 'find-generic-password') console.log(items[service][1]);
  else { delete items[service]; write(items); }
  return 0;
}
if (process.argv[2] === '-i') for (const line of fs.readFileSync(0, 'utf8').split('\\n')) { if (line) perform(split(line)); }
else process.exitCode = perform(process.argv.slice(2));
`;

function tokenIn(answer: CredentialResponse): string | null {
  return answer.kind === 'get' ? answer.token.expose() : null;
}

// The imitation of the system's program is a script, which Windows cannot start.
describe.skipIf(onWindows)('the keychain of macOS (not on Windows: the test uses sh scripts)', () => {
  it('stores a token under the name that cargo uses, and hides it from process lists', async () => {
    const { context, stored, seen } = install('security', SECURITY);
    expect(await askKeychainProvider(requestOf(GET), context)).toEqual({ kind: 'not-found' });
    expect(await askKeychainProvider(requestOf(loginWith('one')), context)).toEqual({ kind: 'login' });
    const odd = 'a "b" \\c\' $d';
    expect(await askKeychainProvider(requestOf(loginWith(odd)), context)).toEqual({ kind: 'login' });
    expect(stored()).toEqual({ [`cargo-registry:${INDEX_URL}`]: ['', odd] });
    expect(tokenIn(await askKeychainProvider(requestOf(GET), context))).toBe(odd);
    expect(await askKeychainProvider(requestOf(logoutAction()), context)).toEqual({ kind: 'logout' });
    expect(await askKeychainProvider(requestOf(logoutAction()), context)).toEqual({ kind: 'not-found' });
    expect(seen()).toContain('find-generic-password');
    expect(seen()).not.toContain('one');
    expect(seen()).not.toContain('$d');
  });

  it('reports why a token is not stored, without showing the token', async () => {
    const { context } = install('security', SECURITY.replace('process.env.REFUSES', 'true'));
    const error = askKeychainProvider(requestOf(loginWith('top-secret')), context);
    await expect(error).rejects.toThrow('failed to store token: security: User interaction is not allowed.');
    await expect(error).rejects.not.toThrow('top-secret');
  });

  it('refuses a token with line breaks, which would be a separate command', async () => {
    const { context, stored } = install('security', SECURITY);
    await expect(
      askKeychainProvider(requestOf(loginWith('a\ndelete-generic-password -s x')), context),
    ).rejects.toThrow('failed to store token: it is too long or has line breaks');
    expect(stored()).toBeNull();
  });
});

/** Imitates PowerShell with the script of the provider. */
const POWERSHELL = `${COMMON}
const flag = process.argv.indexOf('-EncodedCommand');
const script = Buffer.from(process.argv[flag + 1], 'base64').toString('utf16le');
if (!script.includes('CredReadW')) process.exit(3);
const [action, target, blob] = fs.readFileSync(0, 'utf8').split('\\r\\n').map((line, at) => at === 0 ? line : Buffer.from(line, 'base64').toString());
const items = read();
if (process.env.REFUSES) console.log('failed ' + Buffer.from('Access is denied').toString('base64'));
else if (process.env.SILENT) console.error('cannot load');
else if (action === 'store') { items[target] = blob; write(items); console.log('ok'); }
else if (items[target] === undefined) console.log('not-found');
else if (action === 'erase') { delete items[target]; write(items); console.log('ok'); }
else console.log('ok ' + Buffer.from(items[target]).toString('base64'));
`;

describe('the Credential Manager of Windows', () => {
  it.skipIf(onWindows)(
    'stores a token under the name that cargo uses, and hides it from process lists (not on Windows: the test uses sh scripts)',
    async () => {
      const { context, stored, seen } = install('powershell.exe', POWERSHELL);
      expect(await askWincredProvider(requestOf(GET), context)).toEqual({ kind: 'not-found' });
      expect(await askWincredProvider(requestOf(loginWith('tök en')), context)).toEqual({ kind: 'login' });
      expect(stored()).toEqual({ [`cargo-registry:${INDEX_URL}`]: 'tök en' });
      expect(tokenIn(await askWincredProvider(requestOf(GET), context))).toBe('tök en');
      expect(await askWincredProvider(requestOf(logoutAction()), context)).toEqual({ kind: 'logout' });
      expect(await askWincredProvider(requestOf(logoutAction()), context)).toEqual({ kind: 'not-found' });
      expect(seen()).not.toContain('tök en');
      expect(seen()).not.toContain(Buffer.from('tök en').toString('base64'));
    },
  );

  it.skipIf(onWindows).each([
    ['REFUSES', 'failed to get token: Access is denied'],
    ['SILENT', 'failed to get token: cannot load'],
  ])(
    'reports the error of the script: %s (not on Windows: the test uses sh scripts)',
    async (variable, message) => {
      const { context } = install('powershell.exe', POWERSHELL.replace(`process.env.${variable}`, 'true'));
      await expect(askWincredProvider(requestOf(GET), context)).rejects.toThrow(message);
    },
  );

  it('reports a missing PowerShell', async () => {
    const context = providerContext({ PATH: temp.path }, temp.path);
    await expect(askWincredProvider(requestOf(GET), context)).rejects.toThrow(
      'failed to spawn credential process',
    );
  });

  it('has a script that fits on a command line', () => {
    expect(Buffer.from(WINCRED_SCRIPT, 'utf16le').toString('base64').length).toBeLessThan(30_000);
  });
});
