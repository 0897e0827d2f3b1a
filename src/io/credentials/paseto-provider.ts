/** Asymmetric tokens: a local key signs a token for each request. Cargo Book: Unstable Features, "asymmetric-token". */
import { Secret } from '../config/secret.ts';
import { TsregError } from '../../core/errors/error.ts';
import { displayRegistryName } from '../../core/package-id/describe.ts';
import type {
  CredentialResponse,
  CredentialOperation,
  CredentialRequest,
  CredentialSubject,
  ProviderContext,
} from './credential-request.ts';
import { makeTokenKey, readTokenKey } from './paserk.ts';
import { keySubjectOf } from './paseto-arguments.ts';
import { signToken } from './paseto-token.ts';
import { saveCredentials } from './save-credentials.ts';

/** Signs a token for an operation, or stores or removes a key. Login without a key generates one. */
export async function askPasetoProvider(
  { action, args, subject }: CredentialRequest,
  context: ProviderContext,
): Promise<CredentialResponse> {
  const { registry, report } = context;
  const givenSubject = keySubjectOf(args);
  const stored = registry?.secretKey?.value ?? null;
  const storedSubject = registry?.secretKeySubject ?? null;
  switch (action.kind) {
    case 'get': {
      if (stored === null) return { kind: 'not-found' };
      const { operation } = action;
      return {
        kind: 'get',
        token: signOperation(operation, { key: stored, keySubject: storedSubject, subject }),
        cache: operation.kind === 'read' ? 'session' : 'never',
        expiration: null,
        isOperationIndependent: false,
      };
    }
    case 'login': {
      const key = action.token ?? makeTokenKey();
      action.dialog.say(publicTextOf(key));
      const credential = { kind: 'secret-key', key, subject: givenSubject ?? storedSubject } as const;
      await saveCredentials(subject.source, credential, context);
      return { kind: 'login' };
    }
    case 'logout': {
      if (stored === null) return { kind: 'not-found' };
      await saveCredentials(subject.source, { kind: 'none' }, context);
      const name = displayRegistryName(subject.source);
      report.status('Logout', `secret-key for \`${name}\` has been removed from local storage`);
      return { kind: 'logout' };
    }
  }
}

interface Signing {
  readonly key: Secret;
  readonly keySubject: string | null;
  readonly subject: CredentialSubject;
}

/** Returns a signed token, whose fields have cargo's order. */
function signOperation(operation: CredentialOperation, { key, keySubject, subject }: Signing): Secret {
  const tokenKey = readTokenKey(key);
  const mutation = operation.kind === 'read' ? {} : { mutation: operation.kind, name: operation.name };
  const payload = {
    iat: new Date().toISOString(),
    ...(keySubject === null ? {} : { sub: keySubject }),
    ...mutation,
    ...('vers' in operation ? { vers: operation.vers } : {}),
    ...('cksum' in operation ? { cksum: operation.cksum } : {}),
  };
  const footer = { url: subject.indexUrl, kip: tokenKey.id };
  const content = { payload: JSON.stringify(payload), footer: JSON.stringify(footer) };
  return new Secret(signToken(content, tokenKey));
}

function publicTextOf(key: Secret): string {
  try {
    return readTokenKey(key).publicText;
  } catch {
    throw new TsregError('not a validly formatted PASERK secret key', { code: 'auth' });
  }
}
