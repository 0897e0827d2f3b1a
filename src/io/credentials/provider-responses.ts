/** Decoding of credential providers' output, with cargo's errors. Cargo Book: Credential Provider Protocol. */
import { Secret } from '../config/secret.ts';
import { TsregError } from '../../core/errors/error.ts';
import { type Message, Wording } from '../../core/errors/wording.ts';
import { decodeOrNull, field, type Fields, fields } from '../../core/json/decode.ts';
import { array, decodeAsCargo, struct, unsigned32 } from '../../core/json/decode-as-cargo.ts';
import { JsonCursor } from '../../core/json/json-cursor.ts';
import type { CredentialResponse, ProvidedToken } from './credential-request.ts';

/** Decodes a provider's output. Throws `failure`, with the cause, if it is not UTF-8. */
export function decodeUtf8(bytes: Uint8Array, failure: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const cause = new TsregError('stream did not contain valid UTF-8', { code: 'auth' });
    throw new TsregError(failure, { code: 'auth', cause });
  }
}

const HELLO = struct('CredentialHello', { v: array(unsigned32) }, { required: ['v'] });

/** Returns the protocol versions in a program's first line, which includes its line break. */
export function decodeHello(line: string): readonly number[] {
  return decodeAsCargo(HELLO, Buffer.from(line)).v;
}

/** An error that the program reports, in contrast to an error of decoding its output. */
export class ProviderFailure {
  readonly error: TsregError;

  constructor(error: TsregError) {
    this.error = error;
  }
}

/** Decodes a response. `line` includes its line break. */
export function decodeResponse(line: string): CredentialResponse | ProviderFailure {
  const variant = readVariant(line);
  // `readVariant` has checked that this is JSON with exactly this field.
  const content = decodeOrNull(field(variant, fields), JSON.parse(line));
  if (content === null) throw authError('expected value');
  return variant === 'Ok' ? decodeProviderResponse(content) : decodeFailure(content);
}

/** Returns the only key of a response. Throws cargo's error for any other form. */
function readVariant(line: string): 'Ok' | 'Err' {
  const cursor = new JsonCursor(Buffer.from(line));
  if (/^\s*"/.test(line)) {
    cursor.checkValue();
    throw authError('invalid type: unit variant, expected newtype variant');
  }
  // For a number, list, boolean or null, cargo's message is only this.
  if (/^\s*[^{\s]/.test(line)) throw authError('expected value at line 1 column 1');
  let variant: 'Ok' | 'Err' | null = null;
  let errorForSecondKey: TsregError | null = null;
  cursor.readObject('enum Result', (key) => {
    if (errorForSecondKey !== null) throw errorForSecondKey;
    if (key !== 'Ok' && key !== 'Err') {
      throw cursor.error(`unknown variant \`${key}\`, expected \`Ok\` or \`Err\``);
    }
    variant = key;
    let hasKind = false;
    const name = key === 'Ok' ? 'CredentialResponse' : 'Error';
    cursor.readObject(`internally tagged enum ${name}`, (innerKey) => {
      hasKind ||= innerKey === 'kind';
      cursor.checkValue();
    });
    if (!hasKind) throw cursor.error('missing field `kind`');
    errorForSecondKey = cursor.error('expected value');
  });
  if (variant === null) throw cursor.error('expected value');
  cursor.finish();
  return variant;
}

function decodeProviderResponse(fields: Fields): CredentialResponse {
  const { kind } = fields;
  if (kind === 'get') return decodeToken(fields);
  return { kind: kind === 'login' || kind === 'logout' ? kind : 'unknown' };
}

/** Decodes a token. Throws cargo's error for a missing field or a wrong type. */
function decodeToken(fields: Fields): ProvidedToken {
  const { token, operation_independent: isOperationIndependent } = fields;
  // As in cargo, the first field with a wrong type causes the error.
  for (const key of Object.keys(fields)) {
    if (key === 'token' && typeof token !== 'string') throw wrongType(token, 'a string');
    if (key === 'operation_independent' && typeof isOperationIndependent !== 'boolean') {
      throw wrongType(isOperationIndependent, 'a boolean');
    }
  }
  if (typeof token !== 'string') throw missingField('token');
  if (typeof isOperationIndependent !== 'boolean') throw missingField('operation_independent');
  const cache = decodeCache(fields['cache']);
  const expiration = cache === 'expires' ? decodeExpiration(fields['expiration']) : null;
  return { kind: 'get', token: new Secret(token), cache, expiration, isOperationIndependent };
}

/** cargo supports the years -9999 to 9999. */
const FIRST_SECOND = Date.UTC(-9999, 0) / 1000;
const LAST_SECOND = Date.UTC(10_000, 0) / 1000 - 1;

/** The order counts: serde, which decodes responses in cargo, also accepts the index of a value. */
const CACHES = ['never', 'expires', 'session'] as const;

function decodeCache(cache: unknown): ProvidedToken['cache'] {
  if (cache === undefined) throw missingField('cache');
  if (typeof cache === 'number') return CACHES[cache] ?? 'unknown';
  if (typeof cache !== 'string') throw wrongType(cache, 'variant identifier');
  return CACHES.find((candidate) => candidate === cache) ?? 'unknown';
}

/** Returns seconds since 1970. */
function decodeExpiration(expiration: unknown): number {
  if (expiration === undefined) throw missingField('expiration');
  if (typeof expiration !== 'number' || !Number.isInteger(expiration)) throw wrongType(expiration, 'i64');
  if (expiration < FIRST_SECOND || expiration > LAST_SECOND)
    throw authError('invalid timestamp, expected an in-range value');
  return expiration;
}

/** Decodes the error in a response. `not-found` and `url-not-supported` are responses, not failures. */
function decodeFailure(fields: Fields): CredentialResponse | ProviderFailure {
  const { kind } = fields;
  switch (kind) {
    case 'not-found':
    case 'url-not-supported':
      return { kind };
    case 'operation-not-supported':
      return new ProviderFailure(authError('requested operation not supported'));
    case 'other':
      return new ProviderFailure(decodeChain(fields));
    default:
      return new ProviderFailure(
        authError(new Wording('unknown error kind; update tsreg', 'unknown error kind; try updating Cargo?')),
      );
  }
}

/** Returns the error with its causes, from the outermost one to the root. */
function decodeChain({ message, 'caused-by': causedBy }: Fields): TsregError {
  if (message === undefined) throw missingField('message');
  if (typeof message !== 'string') throw wrongType(message, 'a string');
  if (causedBy !== undefined && causedBy !== null && !Array.isArray(causedBy)) {
    throw wrongType(causedBy, 'a sequence');
  }
  const texts = [message, ...(causedBy ?? [])].map((text: unknown) => {
    if (typeof text !== 'string') throw wrongType(text, 'a string');
    return text;
  });
  const wrap = (cause: TsregError | null, text: string): TsregError =>
    cause === null ? authError(text) : new TsregError(text, { cause });
  return texts.reduceRight(wrap, null) ?? authError(message);
}

function missingField(field: string): TsregError {
  return authError(`missing field \`${field}\``);
}

function wrongType(value: unknown, expected: string): TsregError {
  return authError(`invalid type: ${describeJsonValue(value)}, expected ${expected}`);
}

function describeJsonValue(value: unknown): string {
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`;
  if (typeof value === 'number')
    return `${Number.isInteger(value) ? 'integer' : 'floating point'} \`${value}\``;
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  if (value === null) return 'null';
  return Array.isArray(value) ? 'sequence' : 'map';
}

function authError(message: Message): TsregError {
  return new TsregError(message, { code: 'auth' });
}
