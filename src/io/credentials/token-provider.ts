/** Tokens in configuration files and in the credentials file. Cargo Book: Registry Authentication, "cargo:token". */
import { Secret } from '../config/secret.ts';
import { displayRegistryName } from '../../core/package-id/describe.ts';
import { isCratesIo } from '../../core/package-id/source-id.ts';
import { checkToken, emptyToken } from '../../core/protocol/check-token.ts';
import type {
  CredentialAction,
  CredentialResponse,
  CredentialRequest,
  CredentialSubject,
  ProviderContext,
} from './credential-request.ts';
import { sessionToken } from './session-token.ts';
import type { saveCredentials } from './save-credentials.ts';

/** Reads, stores or removes the token of a registry. If `action.check` rejects, a login stores nothing. */
export async function askTokenProvider(
  { action, subject }: CredentialRequest,
  context: ProviderContext,
): Promise<CredentialResponse> {
  const { registry, report } = context;
  const name = displayRegistryName(subject.source);
  const storedToken = registry?.token ?? null;
  switch (action.kind) {
    case 'get': {
      if (storedToken === null) return { kind: 'not-found' };
      return sessionToken(storedToken.value);
    }
    case 'login': {
      const pasted = await askForToken(action, subject);
      // Registries show users the whole command.
      const token = new Secret(pasted.expose().replaceAll('cargo login', '').trim());
      if (token.expose() === '') throw emptyToken(EMPTY_TOKEN_HINT);
      checkToken(token.expose());
      await action.check?.(token);
      await save(subject.source, { kind: 'token', token }, context);
      report.status('Login', `token for \`${name}\` saved`);
      return { kind: 'login' };
    }
    case 'logout': {
      if (storedToken === null) return { kind: 'not-found' };
      await save(subject.source, { kind: 'none' }, context);
      report.status('Logout', `token for \`${name}\` has been removed from local storage`);
      const website = isCratesIo(subject.source) ? '<https://crates.io/me>' : `the \`${name}\` website`;
      action.dialog.say('note: This does not revoke the token on the registry server.');
      action.dialog.say(
        `    If you need to revoke the token, visit ${website} and follow the instructions there.`,
      );
      return { kind: 'logout' };
    }
  }
}

type LoginAction = Extract<CredentialAction, { kind: 'login' }>;

/** The hint for an empty token. */
const EMPTY_TOKEN_HINT = 'paste the token when tsreg asks for it, or pass it on stdin: `tsreg login < FILE`';

/** Loaded only if needed: most runs only read a token. */
const save: typeof saveCredentials = async (...args) =>
  await (await import('./save-credentials.ts')).saveCredentials(...args);

/** Returns the token of the action; if it has none, prompts the user for it. Rejects if `action.check` does. */
export async function readToken(action: LoginAction, subject: CredentialSubject): Promise<Secret> {
  const token = await askForToken(action, subject);
  await action.check?.(token);
  return token;
}

/** Like `readToken`, without the check. */
async function askForToken(
  { token, loginUrl, dialog }: LoginAction,
  { name, indexUrl }: CredentialSubject,
): Promise<Secret> {
  if (token !== null) return token;
  const tokenName =
    loginUrl === null ? `the token for ${name ?? indexUrl}` : `the token found on ${loginUrl}`;
  dialog.say(`please paste ${tokenName} below`);
  return new Secret(await dialog.readSecretLine());
}
