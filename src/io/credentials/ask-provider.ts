/** Requests to one credential provider, built-in or external. Cargo Book: Registry Authentication. */
import { type CredentialProvider, TOKEN_PROVIDER } from '../config/credentials.ts';
import { TsregError } from '../../core/errors/error.ts';
import { displayRegistryName } from '../../core/package-id/describe.ts';
import { hasAsymmetricTokens, PASETO_PROVIDER } from './choose-providers.ts';
import type { CredentialResponse, CredentialRequest, ProviderContext } from './credential-request.ts';
import { askTokenProvider } from './token-provider.ts';

/** Sends a request to `provider`. Rejects with the provider's error. */
export async function askProvider(
  provider: CredentialProvider,
  request: CredentialRequest,
  context: ProviderContext,
): Promise<CredentialResponse> {
  const { config, report } = context;
  const { action, subject } = request;
  const [name] = provider;
  if (name === PASETO_PROVIDER && !hasAsymmetricTokens(config)) {
    throw new TsregError('cargo:paseto requires -Zasymmetric-token', { code: 'auth' });
  }
  const command = provider.join(' ');
  report.verbose('Credential', `${command} ${action.kind} ${displayRegistryName(subject.source)}`);
  try {
    return await responseOf(name, request, context);
  } catch (cause) {
    throw new TsregError(`credential provider \`${command}\` failed action \`${action.kind}\``, { cause });
  }
}

/** Sends the request to the provider `name`. A provider of another operating system responds `url-not-supported`. */
async function responseOf(
  name: string,
  request: CredentialRequest,
  context: ProviderContext,
): Promise<CredentialResponse> {
  const { action } = request;
  switch (name) {
    case TOKEN_PROVIDER:
      return await askTokenProvider(request, context);
    case 'cargo:token-from-stdout':
      return await (await import('./token-command.ts')).askTokenCommand(request, context);
    case PASETO_PROVIDER:
      return await (await import('./paseto-provider.ts')).askPasetoProvider(request, context);
    case 'cargo:libsecret':
      if (process.platform !== 'linux') return { kind: 'url-not-supported' };
      return await (await import('./libsecret-provider.ts')).askLibsecretProvider(request, context);
    case 'cargo:macos-keychain':
      if (process.platform !== 'darwin') return { kind: 'url-not-supported' };
      return await (await import('./keychain-provider.ts')).askKeychainProvider(request, context);
    case 'cargo:wincred':
      if (process.platform !== 'win32') return { kind: 'url-not-supported' };
      return await (await import('./wincred-provider.ts')).askWincredProvider(request, context);
    default:
      // The program stores the token itself, so check it first.
      if (action.kind === 'login' && action.token !== null) await action.check?.(action.token);
      return await (await import('./credential-process.ts')).askCredentialProcess(name, request, context);
  }
}
