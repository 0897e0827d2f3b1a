import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { listen } from './listen.ts';

/** A local OpenID Connect issuer. */
export interface Issuer extends AsyncDisposable {
  readonly url: string;
  /** The requested paths. */
  readonly asked: string[];
  /** Responses that replace the correct ones, by path. */
  readonly answers: Map<string, IssuerAnswer>;
  /** Replaces the signing key. The issuer publishes the new one. */
  changeKey(): void;
  /**
   * Returns a JWT with these claims, `iss` included by default, signed with the current key unless `more` changes that.
   */
  sign(claims: Readonly<Record<string, unknown>>, more?: SignOptions): string;
}

/** A response of the issuer. */
export interface IssuerAnswer {
  readonly status: number;
  readonly body: string;
  readonly location?: string;
  /** Delays the response. */
  readonly after?: Promise<void>;
}

/** Changes to how a JWT is made. */
export interface SignOptions {
  readonly algorithm?: 'RS256' | 'ES256' | 'none' | 'HS256';
  readonly header?: Readonly<Record<string, unknown>>;
  /** Signs with this key, regardless of the header. */
  readonly key?: KeyObject;
}

/** Starts an issuer. */
export async function startIssuer(): Promise<Issuer> {
  const rsa = (): ReturnType<typeof generateKeyPairSync> =>
    generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let current = { id: 'rsa-1', pair: rsa() };
  let changes = 1;
  const asked: string[] = [];
  const answers: Issuer['answers'] = new Map();
  let url = '';
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const other = answers.get(path);
    if (other !== undefined) {
      const { status, body, location, after = Promise.resolve() } = other;
      void after.then(() => {
        response.writeHead(status, location === undefined ? {} : { location });
        response.end(body);
      });
    } else if (path === '/.well-known/openid-configuration') {
      response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys`, other: 1 }));
    } else if (path === '/keys') {
      const { publicKey } = current.pair;
      if (typeof publicKey === 'string' || publicKey instanceof Buffer) throw new Error('no key');
      const keys = [
        { kty: 'OKP', crv: 'Ed25519', x: 'AAAA', kid: 'odd' },
        { ...publicKey.export({ format: 'jwk' }), kid: current.id, alg: 'RS256', use: 'sig', x5c: ['x'] },
        { ...ec.publicKey.export({ format: 'jwk' }), kid: 'ec-1' },
      ];
      response.end(JSON.stringify({ keys }));
    } else {
      response.writeHead(404).end();
    }
  });
  url = `http://127.0.0.1:${await listen(server)}`;
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    url,
    asked,
    answers,
    changeKey() {
      changes += 1;
      current = { id: `rsa-${changes}`, pair: rsa() };
    },
    sign(claims, { algorithm = 'RS256', header = {}, key } = {}) {
      const kid = algorithm === 'ES256' ? 'ec-1' : current.id;
      const signed = `${encode({ alg: algorithm, typ: 'JWT', kid, ...header })}.${encode({ iss: url, ...claims })}`;
      const { privateKey } = algorithm === 'ES256' ? ec : current.pair;
      const signer = key ?? privateKey;
      if (typeof signer === 'string' || signer instanceof Buffer) throw new Error('no key');
      const signature = sign('sha256', Buffer.from(signed), { key: signer, dsaEncoding: 'ieee-p1363' });
      return `${signed}.${signature.toString('base64url')}`;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
