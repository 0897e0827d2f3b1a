/** Tokens in the login keychain of macOS, by its program `security`. Cargo Book: Registry Authentication, "cargo:macos-keychain". */
import { Secret } from '../config/secret.ts';
import type { CredentialAnswer, CredentialRequest, ProviderContext } from './credential-request.ts';
import { runStoreProgram, storeError, type StoreProgramResult } from './run-store-program.ts';
import { sessionToken } from './session-token.ts';
import { readToken } from './token-provider.ts';

const PROGRAM = 'security';
/** The status of `security` for an item that is not there. */
const NOT_FOUND = 44;
/** `security` reads no longer lines. */
const MAX_LINE = 4000;

/** Looks up, stores or removes the token of a registry in the item that cargo has there. */
export async function askKeychainProvider(
  { action, subject }: CredentialRequest,
  { config, signal }: ProviderContext,
): Promise<CredentialAnswer> {
  const service = `cargo-registry:${subject.indexUrl}`;
  const run = (args: readonly string[], input = ''): Promise<StoreProgramResult> =>
    runStoreProgram(PROGRAM, args, { env: config.env, signal, input });
  const find = async (verb: string): Promise<string | null> => {
    const { status, stdout, stderr } = await run(['find-generic-password', '-s', service, '-w']);
    if (status === NOT_FOUND) return null;
    if (status !== 0) throw storeError(verb, stderr);
    return stdout.replace(/\r?\n$/, '');
  };
  switch (action.kind) {
    case 'get': {
      const token = await find('get');
      if (token === null) return { kind: 'not-found' };
      return sessionToken(new Secret(token));
    }
    case 'login': {
      const token = (await readToken(action, subject)).expose();
      // The account is not used; `-U` changes an item that is there.
      const words = ['add-generic-password', '-U', '-s', service, '-a', '', '-w', token];
      const line = words.map(quote).join(' ');
      if (/[\n\r\0]/.test(token) || line.length > MAX_LINE) {
        throw storeError('store', 'it is too long or has line breaks');
      }
      const { stderr } = await run(['-i'], `${line}\n`);
      // Its status says nothing of commands that it reads.
      if ((await find('store')) !== token) throw storeError('store', stderr.replaceAll(token, '…'));
      return { kind: 'login' };
    }
    case 'logout': {
      const { status, stderr } = await run(['delete-generic-password', '-s', service]);
      if (status === NOT_FOUND) return { kind: 'not-found' };
      if (status !== 0) throw storeError('erase', stderr);
      return { kind: 'logout' };
    }
  }
}

/** A word of a command that `security` reads. */
function quote(word: string): string {
  return `"${word.replaceAll(/["\\]/g, '\\$&')}"`;
}
