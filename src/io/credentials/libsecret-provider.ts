/** Tokens in the secret service of a Linux desktop. Cargo Book: Registry Authentication, "cargo:libsecret". */
import { Secret } from '../config/secret.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { CredentialResponse, CredentialRequest, ProviderContext } from './credential-request.ts';
import { type SecretAttributes, SecretService } from './dbus/secret-service.ts';
import { sessionToken } from './session-token.ts';
import { readToken } from './token-provider.ts';

/** The attribute by which libsecret marks cargo's items. */
const SCHEMA = { 'xdg:schema': 'org.rust-lang.cargo.registry' };

/** Reads, stores or removes the token of a registry, in the same items as cargo. */
export async function askLibsecretProvider(
  { action, subject }: CredentialRequest,
  { config, signal }: ProviderContext,
): Promise<CredentialResponse> {
  const attributes: SecretAttributes = { url: subject.indexUrl, ...SCHEMA };
  const withService = async <T>(verb: string, use: (service: SecretService) => Promise<T>): Promise<T> => {
    try {
      const service = await SecretService.open(config.env, signal);
      try {
        return await use(service);
      } finally {
        service.close();
      }
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      throw new TsregError(`failed to ${verb} token: ${reason}`, { code: 'auth' });
    }
  };
  switch (action.kind) {
    case 'get': {
      const secret = await withService('get', (service) => service.lookUp(attributes));
      if (secret === null) return { kind: 'not-found' };
      return sessionToken(new Secret(decode(secret)));
    }
    case 'login': {
      const token = await readToken(action, subject);
      const label = `cargo-registry:${subject.name ?? subject.indexUrl}`;
      const secret = Buffer.from(token.expose());
      await withService('store', (service) => service.store({ label, attributes, secret }));
      return { kind: 'login' };
    }
    case 'logout':
      await withService('erase', (service) => service.remove(attributes));
      return { kind: 'logout' };
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new TsregError('expected utf8 token', { code: 'auth' });
  }
}
