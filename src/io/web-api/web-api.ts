/** A client of the web API of registries. Cargo Book: Registry Web API. */
import { TsregError } from '../../core/errors/error.ts';
import { wordingByProgram } from '../../core/errors/wording.ts';
import type { HttpRequest } from '../http/message.ts';
import { sendWithRetry } from '../http/send-with-retry.ts';
import type { UploadBody } from '../http/upload-body.ts';
import type { Transport } from '../http/transport.ts';
import {
  type Account,
  type CrateOwner,
  decodeAccount,
  decodeOk,
  decodeOwners,
  decodeOwnersChange,
  decodePublishWarnings,
  decodeSearchPage,
  type PublishWarnings,
  type SearchPage,
} from '../../core/protocol/api-responses.ts';
import { checkToken } from '../../core/protocol/check-token.ts';
import { hideSecret } from '../../core/protocol/hide-secret.ts';
import { encodePublishHead } from '../../core/protocol/publish-body.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { type ApiError, asApiError } from './api-error.ts';
import { apiUrl } from './api-url.ts';
import { readResponse } from './read-response.ts';

/** A token that is only readable through `expose`. */
export interface Token {
  expose(): string;
}

/** The way that the client presents itself to registries. */
export type Caller =
  /** As in the Cargo Book: the same three headers on every request, and this program's name. */
  | { readonly kind: 'documented'; readonly userAgent: string }
  /** As cargo does. The transport sends the name. */
  | { readonly kind: 'cargo' };

/** Options of a web API client. */
export interface WebApiOptions extends OperationContext {
  readonly transport: Transport;
  /** `api` of the index's `config.json`, unchanged. */
  readonly host: string;
  /** Null if there is none. Then only requests without a token are possible. */
  readonly token: Token | null;
  /** Source of the token, for messages about a rejected or invalid one. */
  readonly tokenOrigin?: string | null;
  /** True if reads require the token too. */
  readonly isTokenRequired: boolean;
  readonly caller: Caller;
  /** Maximum total wait of one request for responses 429 and 503; null for no wait. */
  readonly maxWaitMs: number | null;
}

/** A crate to publish. */
export interface CrateUpload {
  /** The JSON of the publish request. */
  readonly metadata: Uint8Array;
  /** The `.crate`. */
  readonly archive: UploadBody;
}

/** Options of a publish request. */
export interface PublishRequestOptions {
  /**
   * True to let the registry check the crate without storing it. Requires support in its `config.json`: other
   * registries ignore this, and publish.
   */
  readonly isDryRun?: boolean;
  /** Called with the sent bytes of the body. */
  readonly onProgress?: (sent: number, total: number) => void;
  /** Called after a wait for a busy registry; false ends the request with that response instead of a repetition. */
  readonly mayRepeat?: (error: ApiError) => Promise<boolean>;
}

/** A search. Null values are not sent. */
export interface SearchQuery {
  readonly text: string;
  readonly perPage: number;
  /** Counted from 1. */
  readonly page: number | null;
  readonly sort: string | null;
}

/** A request to the web API. */
interface ApiRequest {
  readonly method: NonNullable<HttpRequest['method']>;
  /** The path after `/api/v1`. */
  readonly path: string;
  readonly body?: Uint8Array | UploadBody;
  /** The `content-type` that cargo sends; null for none. */
  readonly contentType: typeof JSON_TYPE | typeof CRATE_TYPE | null;
  readonly needsToken: boolean;
  readonly onUpload?: (sent: number, total: number) => void;
  readonly mayRepeat?: (error: ApiError) => Promise<boolean>;
  /** Another reason for a rejection than an invalid token. */
  readonly otherRefusal?: string;
}

/** Larger responses are errors. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
const JSON_TYPE = 'application/json';
const CRATE_TYPE = 'application/octet-stream';

/**
 * A client of the web API of one registry, with one token. Repeats no request except after waits of `maxWaitMs`.
 * Follows redirects of requests without a body. Every method rejects with a `CurlError` for an incomplete response,
 * with an `ApiError` for an unsuccessful one, and with cargo's error for a successful one of the wrong form.
 */
export class WebApi {
  /** The registry, as messages name it. */
  readonly host: string;
  readonly #options: WebApiOptions;

  constructor(options: WebApiOptions) {
    this.host = options.host;
    this.#options = options;
  }

  /** Publishes a crate. */
  async publish(
    { metadata, archive }: CrateUpload,
    { isDryRun = false, onProgress, mayRepeat }: PublishRequestOptions = {},
  ): Promise<PublishWarnings> {
    const request: ApiRequest = {
      method: 'PUT',
      path: `/crates/new${isDryRun ? '?dry_run=true' : ''}`,
      body: publishBody(metadata, archive),
      contentType: CRATE_TYPE,
      needsToken: true,
      ...(onProgress === undefined ? {} : { onUpload: onProgress }),
      ...(mayRepeat === undefined ? {} : { mayRepeat }),
    };
    const { invalidCategories, invalidBadges, other } = await this.#request(request, decodePublishWarnings);
    const withoutToken = (texts: readonly string[]) => texts.map((text) => this.#hideToken(text));
    return {
      invalidCategories: withoutToken(invalidCategories),
      invalidBadges: withoutToken(invalidBadges),
      other: withoutToken(other),
    };
  }

  /** Hides a version from new users. Sends `reason` if given; other servers ignore it. */
  async yank(name: string, version: string, reason: string | null = null): Promise<void> {
    const query = reason === null ? '' : `?reason=${encodeText(reason)}`;
    const path = `/crates/${name}/${version}/yank${query}`;
    checkOk(await this.#request({ method: 'DELETE', path, contentType: null, needsToken: true }, decodeOk));
  }

  /** Makes a yanked version available again. */
  async unyank(name: string, version: string): Promise<void> {
    const path = `/crates/${name}/${version}/unyank`;
    checkOk(await this.#request({ method: 'PUT', path, contentType: null, needsToken: true }, decodeOk));
  }

  /** Returns the owners of a crate. */
  async listOwners(name: string): Promise<readonly CrateOwner[]> {
    return this.#request(ownersRequest('GET', name), decodeOwners);
  }

  /** Adds or invites `logins` as owners. Returns the registry's message, which tells them apart; null if none. */
  async addOwners(name: string, logins: readonly string[]): Promise<string | null> {
    return this.#changeOwners('PUT', name, logins);
  }

  /** Removes `logins` from the owners. */
  async removeOwners(name: string, logins: readonly string[]): Promise<void> {
    await this.#changeOwners('DELETE', name, logins);
  }

  /** Returns one page of the crates that match a query. */
  async search({ text, perPage, page, sort }: SearchQuery): Promise<SearchPage> {
    const optionalFields = [
      page === null ? '' : `&page=${page}`,
      sort === null ? '' : `&sort=${encodeText(sort)}`,
    ];
    const path = `/crates?q=${encodeText(text)}&per_page=${perPage}${optionalFields.join('')}`;
    return this.#request({ method: 'GET', path, contentType: null, needsToken: false }, decodeSearchPage);
  }

  /** Returns the owner of the token; null if the response has another form. Not in the Cargo Book. */
  async whoami(): Promise<Account | null> {
    return this.#request({ method: 'GET', path: '/me', contentType: null, needsToken: true }, decodeAccount);
  }

  /** Adds or removes owners. Returns the registry's message; null if none. */
  async #changeOwners(
    method: 'PUT' | 'DELETE',
    name: string,
    logins: readonly string[],
  ): Promise<string | null> {
    const mayBeSilent = this.#options.caller.kind === 'documented';
    const change = await this.#request(ownersRequest(method, name, { logins }), (body) =>
      decodeOwnersChange(body, { mayBeSilent }),
    );
    checkOk(change.ok);
    return change.message === null ? null : this.#hideToken(change.message);
  }

  /** Hides the token in text of the registry that is printed. */
  #hideToken(text: string): string {
    return hideSecret(text, this.#options.token?.expose() ?? null);
  }

  /** Sends a request and decodes its response. A decoding error may quote the token, so that is hidden. */
  async #request<T>(request: ApiRequest, decode: (body: Buffer) => T): Promise<T> {
    const body = await this.#send(request);
    try {
      return decode(body);
    } catch (error) {
      if (!(error instanceof TsregError)) throw error;
      throw new TsregError(this.#hideToken(error.message), { code: error.code });
    }
  }

  /** Sends a request, again after waits for a busy registry. Returns the body of a successful response. */
  async #send(request: ApiRequest): Promise<Buffer> {
    const { transport, host, token, tokenOrigin = null, caller } = this.#options;
    const { method, path, body, onUpload, mayRepeat, otherRefusal = null } = request;
    const secret = token?.expose() ?? null;
    const responseContext = { isWhole: caller.kind === 'cargo', secret, tokenOrigin, otherRefusal };
    const retryPolicy = {
      ...this.#options,
      responseErrorIn: asApiError,
      ...(mayRepeat === undefined ? {} : { mayRepeat }),
    };
    return await sendWithRetry(async () => {
      const response = await transport.send(
        {
          method,
          url: apiUrl(host, path),
          headers: this.#headers(request),
          ...(body === undefined ? {} : { body }),
          maxBytes: MAX_RESPONSE_BYTES,
          ...(onUpload === undefined ? {} : { onSent: onUpload }),
        },
        { isOnce: true, isFollowed: true },
      );
      return readResponse(response, responseContext);
    }, retryPolicy);
  }

  /** Returns the headers in their order. */
  #headers({ contentType, needsToken }: ApiRequest): Record<string, string> {
    const { caller, isTokenRequired } = this.#options;
    const isDocumented = caller.kind === 'documented';
    const type = isDocumented ? JSON_TYPE : contentType;
    const accept = { accept: JSON_TYPE };
    const content = type === null ? {} : { 'content-type': type };
    return {
      ...(isDocumented ? { 'user-agent': caller.userAgent } : {}),
      // As in cargo, whose order depends on the content type.
      ...(contentType === CRATE_TYPE ? { ...content, ...accept } : { ...accept, ...content }),
      ...(needsToken || isTokenRequired ? { authorization: this.#tokenText() } : {}),
    };
  }

  /** Returns the value of `Authorization`. Throws cargo's error if there is no token or it is invalid. */
  #tokenText(): string {
    const { token, tokenOrigin = null } = this.#options;
    const text = token?.expose();
    if (text === undefined) {
      throw new TsregError(
        wordingByProgram((program) => `no upload token found, please run \`${program} login\``),
        { code: 'auth' },
      );
    }
    checkToken(text, tokenOrigin);
    return text;
  }
}

/** Returns a request about the owners of a crate; without `logins`, it only reads them. */
function ownersRequest(
  method: ApiRequest['method'],
  name: string,
  { logins }: { readonly logins?: readonly string[] } = {},
): ApiRequest {
  const path = `/crates/${name}/owners`;
  if (logins === undefined) return { method, path, contentType: null, needsToken: true };
  const body = Buffer.from(JSON.stringify({ users: logins }));
  const otherRefusal = 'the registry does not know one of the named owners';
  return { method, path, body, contentType: JSON_TYPE, needsToken: true, otherRefusal };
}

/** Throws `source` unless the response's `ok` is true. */
function checkOk(ok: boolean): void {
  if (!ok) throw new TsregError('the registry responded that it failed: `"ok": false`', { code: 'source' });
}

/** Percent-encodes everything except ASCII letters and digits, as cargo does (`NON_ALPHANUMERIC`). */
function encodeText(text: string): string {
  const bytes = Buffer.from(text);
  return [...bytes]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

/** Returns the body of a publish request: the metadata, then the archive, each after its length. */
function publishBody(metadata: Uint8Array, archive: UploadBody): UploadBody {
  const head = encodePublishHead(metadata, archive.length);
  return {
    length: head.length + archive.length,
    async *chunks() {
      yield head;
      yield* archive.chunks();
    },
  };
}
