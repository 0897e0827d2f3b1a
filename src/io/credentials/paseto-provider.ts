/** Asymmetric tokens: a local key signs a token for each request. Cargo Book: Unstable Features, "asymmetric-token". */
import { sign } from 'node:crypto';
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
import { makeTokenKey, readTokenKey, type TokenKey } from './paserk.ts';
import { keySubjectOf } from './paseto-arguments.ts';
import { saveCredentials } from './save-credentials.ts';

/** Signs a token for an operation, or stores or removes a key. Login without a key generates one. */
export async function askPasetoProvider(
  { action, args, subject }: CredentialRequest,
  context: ProviderContext,
): Promise<CredentialResponse> {
  const { registry, report } = context;
  const subjectArgument = keySubjectOf(args);
  const storedKey = registry?.secretKey?.value ?? null;
  const storedSubject = registry?.secretKeySubject ?? null;
  switch (action.kind) {
    case 'get': {
      if (storedKey === null) return { kind: 'not-found' };
      const { operation } = action;
      return {
        kind: 'get',
        token: signOperation(operation, { key: storedKey, keySubject: storedSubject, subject }),
        cache: operation.kind === 'read' ? 'session' : 'never',
        expiration: null,
        isOperationIndependent: false,
      };
    }
    case 'login': {
      const key = action.token ?? makeTokenKey();
      action.dialog.say(publicTextOf(key));
      const credential = { kind: 'secret-key', key, subject: subjectArgument ?? storedSubject } as const;
      await saveCredentials(subject.source, credential, context);
      return { kind: 'login' };
    }
    case 'logout': {
      if (storedKey === null) return { kind: 'not-found' };
      await saveCredentials(subject.source, { kind: 'none' }, context);
      const name = displayRegistryName(subject.source);
      report.status('Logout', `secret-key for \`${name}\` has been removed from local storage`);
      return { kind: 'logout' };
    }
  }
}

interface SignOptions {
  readonly key: Secret;
  /** The owner of the key; null to leave it out of the token. */
  readonly keySubject: string | null;
  /** The registry that the token is for. */
  readonly subject: CredentialSubject;
}

/** Returns a signed token, whose fields have cargo's order. */
function signOperation(operation: CredentialOperation, { key, keySubject, subject }: SignOptions): Secret {
  const tokenKey = readTokenKey(key);
  const payload = {
    iat: new Date().toISOString(),
    ...(keySubject === null ? {} : { sub: keySubject }),
    ...(operation.kind === 'read' ? {} : { mutation: operation.kind, name: operation.name }),
    ...('vers' in operation ? { vers: operation.vers } : {}),
    ...('cksum' in operation ? { cksum: operation.cksum } : {}),
  };
  const footer = { url: subject.indexUrl, kip: tokenKey.id };
  const content = { payload: JSON.stringify(payload), footer: JSON.stringify(footer) };
  return new Secret(signToken(content, tokenKey));
}

/** Returns the text of the public key. Throws `auth` if the secret key is invalid. */
function publicTextOf(key: Secret): string {
  try {
    return readTokenKey(key).publicText;
  } catch {
    throw new TsregError('not a validly formatted PASERK secret key', { code: 'auth' });
  }
}

/** PASETO, version 3, "Sign": the version and purpose of a token. */
const HEADER = 'v3.public.';
/** The implicit assertion, which cargo does not use. */
const NO_ASSERTION = Buffer.alloc(0);

/** The content of a token, as text. */
export interface TokenContent {
  readonly payload: string;
  readonly footer: string;
}

/** Returns a token with `content`, signed with `key`. */
export function signToken({ payload, footer }: TokenContent, key: TokenKey): string {
  const signed = authenticatedText([
    key.publicBytes,
    Buffer.from(HEADER),
    Buffer.from(payload),
    Buffer.from(footer),
    NO_ASSERTION,
  ]);
  const signature = sign('sha384', signed, { key: key.signingKey, dsaEncoding: 'ieee-p1363' });
  const body = Buffer.concat([Buffer.from(payload), signature]).toString('base64url');
  return `${HEADER}${body}.${Buffer.from(footer).toString('base64url')}`;
}

/**
 * Encodes pieces with their number and lengths, so that different lists have different encodings. PASETO, "PAE
 * Definition".
 */
function authenticatedText(pieces: readonly Buffer[]): Buffer {
  return Buffer.concat([
    littleEndian(pieces.length),
    ...pieces.flatMap((piece) => [littleEndian(piece.length), piece]),
  ]);
}

/** Returns the 64 bits of `value`, lowest byte first. */
function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
