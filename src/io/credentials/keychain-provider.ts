/** Tokens in the macOS keychain, through `security`. Cargo Book: Registry Authentication, "cargo:macos-keychain". */
import { Secret } from '../config/secret.ts';
import type { CredentialResponse, CredentialRequest, ProviderContext } from './credential-request.ts';
import { runStoreProgram, storeError, type StoreProgramResult } from './run-store-program.ts';
import { sessionToken } from './session-token.ts';
import { readToken } from './token-provider.ts';

const PROGRAM = 'security';
/** The exit status of `security` for an item that does not exist. */
const NOT_FOUND = 44;
/** Maximum line length that `security` reads. */
const MAX_LINE = 4000;

/** Reads, stores or removes the token of a registry, in the same item as cargo. */
export async function askKeychainProvider(
  { action, subject }: CredentialRequest,
  { config, signal }: ProviderContext,
): Promise<CredentialResponse> {
  const service = `cargo-registry:${subject.indexUrl}`;
  const run = (args: readonly string[], input = ''): Promise<StoreProgramResult> =>
    runStoreProgram(PROGRAM, args, { env: config.env, signal, input });
  // `verb` names the action in an error.
  const findToken = async (verb: string): Promise<string | null> => {
    const { status, stdout, stderr } = await run(['find-generic-password', '-s', service, '-w']);
    if (status === NOT_FOUND) return null;
    if (status !== 0) throw storeError(verb, stderr);
    return stdout.replace(/\r?\n$/, '');
  };
  switch (action.kind) {
    case 'get': {
      const token = await findToken('get');
      if (token === null) return { kind: 'not-found' };
      return sessionToken(new Secret(token));
    }
    case 'login': {
      const token = (await readToken(action, subject)).expose();
      // The account is not used; `-U` updates an existing item.
      const words = ['add-generic-password', '-U', '-s', service, '-a', '', '-w', token];
      const line = words.map(quote).join(' ');
      if (/[\n\r\0]/.test(token) || line.length > MAX_LINE) {
        throw storeError('store', 'it is too long or has line breaks');
      }
      // On stdin, because other users can see arguments.
      const { stderr } = await run(['-i'], `${line}\n`);
      // The exit status of `security -i` does not report failed commands.
      if ((await findToken('store')) !== token) throw storeError('store', stderr.replaceAll(token, '…'));
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

/** Quotes a word of a command for `security -i`. */
function quote(word: string): string {
  return `"${word.replaceAll(/["\\]/g, '\\$&')}"`;
}
