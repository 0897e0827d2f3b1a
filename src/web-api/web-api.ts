/** The web API of a registry, from the side of who calls it. Cargo Book: Registry Web API. */
import { TsregError } from '../errors/error.ts';
import { naming } from '../errors/wording.ts';
import type { HttpRequest } from '../http/message.ts';
import { sendPatiently } from '../http/send-patiently.ts';
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
} from '../protocol/api-answers.ts';
import { checkToken } from '../protocol/check-token.ts';
import { hideSecret } from '../protocol/hide-secret.ts';
import type { OperationContext } from '../report/report.ts';
import { type ApiError, asApiError } from './api-error.ts';
import { apiUrl } from './api-url.ts';
import { readAnswer } from './read-answer.ts';

/** A token, which does not show what it is unless it is asked to. */
export interface Token {
  expose(): string;
}

/** Who calls, as registries are told. */
export type Caller =
  /** As the Cargo Book has it: the same three headers on every request, and this program's name. */
  | { readonly kind: 'documented'; readonly userAgent: string }
  /** As cargo does; the transport knows its name. */
  | { readonly kind: 'cargo' };

/** What a web API is called with. */
export interface WebApiOptions extends OperationContext {
  readonly transport: Transport;
  /** `api` of the index's `config.json`, as it stands there. */
  readonly host: string;
  /** Null where there is none; only what needs none can be called then. */
  readonly token: Token | null;
  /** Where the token came from, for those who wonder which one was refused. */
  readonly tokenOrigin?: string | null;
  /** True where reading needs the token, too. */
  readonly isTokenRequired: boolean;
  readonly caller: Caller;
  /** How long answers 429 and 503 are waited out, in all of one request; null for not at all. */
  readonly maxWaitMs: number | null;
}

/** A crate that is sent. */
export interface CrateUpload {
  /** The JSON of the publication. */
  readonly metadata: Uint8Array;
  /** The `.crate`. */
  readonly archive: UploadBody;
}

/** How a crate is sent. */
export interface PublishRequestOptions {
  /**
   * True for the registry to check and to store nothing. Only where its `config.json` says that it does that: others
   * ignore the wish, and publish.
   */
  readonly isDryRun?: boolean;
  /** Hears how many bytes of the body were sent. */
  readonly onProgress?: (sent: number, total: number) => void;
  /** Asked, once a busy registry was waited for, whether to send the crate again; false ends it with that answer. */
  readonly mayRepeat?: (error: ApiError) => Promise<boolean>;
}

/** What is wanted of a search. Those that are null are not sent. */
export interface SearchQuery {
  readonly text: string;
  readonly perPage: number;
  /** Counted from 1. */
  readonly page: number | null;
  readonly sort: string | null;
}

/** What a request is made of beside where it goes. */
interface ApiRequest {
  readonly method: NonNullable<HttpRequest['method']>;
  /** Behind `/api/v1`. */
  readonly path: string;
  readonly body?: Uint8Array | UploadBody;
  /** What cargo says of the body's form; null for nothing. */
  readonly contentType: typeof JSON_TYPE | typeof CRATE_TYPE | null;
  readonly needsToken: boolean;
  readonly onUpload?: (sent: number, total: number) => void;
  readonly mayRepeat?: (error: ApiError) => Promise<boolean>;
  /** What a refusal may mean other than that the token is not good. */
  readonly otherRefusal?: string;
}

/** Answers that are larger are refused. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const JSON_TYPE = 'application/json';
const CRATE_TYPE = 'application/octet-stream';

/**
 * Calls the web API of one registry with one token. Nothing is sent twice unless `maxWaitMs` says so. Redirects of requests
 * without a body are followed. Every method rejects with a `CurlError` where there is no whole answer, with an `ApiError` where the
 * answer is no success, and with cargo's words where a success has another form than it should.
 */
export class WebApi {
  /** As messages name the registry. */
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
    const { invalidCategories, invalidBadges, other } = await this.#ask(request, decodePublishWarnings);
    const safe = (texts: readonly string[]) => texts.map((text) => this.#hideToken(text));
    return {
      invalidCategories: safe(invalidCategories),
      invalidBadges: safe(invalidBadges),
      other: safe(other),
    };
  }

  /** Hides a version from new users. `reason` goes along where there is one; servers that do not know it ignore it. */
  async yank(name: string, version: string, reason: string | null = null): Promise<void> {
    const query = reason === null ? '' : `?reason=${encodeText(reason)}`;
    const path = `/crates/${name}/${version}/yank${query}`;
    checkOk(await this.#ask({ method: 'DELETE', path, contentType: null, needsToken: true }, decodeOk));
  }

  /** Undoes `yank`. */
  async unyank(name: string, version: string): Promise<void> {
    const path = `/crates/${name}/${version}/unyank`;
    checkOk(await this.#ask({ method: 'PUT', path, contentType: null, needsToken: true }, decodeOk));
  }

  async listOwners(name: string): Promise<readonly CrateOwner[]> {
    return this.#ask(ownersRequest('GET', name), decodeOwners);
  }

  /** Makes `logins` owners, or invites them: the registry's words say which; null where it has none. */
  async addOwners(name: string, logins: readonly string[]): Promise<string | null> {
    return this.#changeOwners('PUT', name, logins);
  }

  async removeOwners(name: string, logins: readonly string[]): Promise<void> {
    await this.#changeOwners('DELETE', name, logins);
  }

  async search({ text, perPage, page, sort }: SearchQuery): Promise<SearchPage> {
    const more = [page === null ? '' : `&page=${page}`, sort === null ? '' : `&sort=${encodeText(sort)}`];
    const path = `/crates?q=${encodeText(text)}&per_page=${perPage}${more.join('')}`;
    return this.#ask({ method: 'GET', path, contentType: null, needsToken: false }, decodeSearchPage);
  }

  /** Whose the token is; null where the registry answers something else. Not in the Cargo Book. */
  async whoami(): Promise<Account | null> {
    return this.#ask({ method: 'GET', path: '/me', contentType: null, needsToken: true }, decodeAccount);
  }

  async #changeOwners(
    method: 'PUT' | 'DELETE',
    name: string,
    logins: readonly string[],
  ): Promise<string | null> {
    const mayBeSilent = this.#options.caller.kind === 'documented';
    const change = await this.#ask(ownersRequest(method, name, { logins }), (answer) =>
      decodeOwnersChange(answer, mayBeSilent),
    );
    checkOk(change.ok);
    return change.message === null ? null : this.#hideToken(change.message);
  }

  /** Words of the registry that are going to be shown. */
  #hideToken(text: string): string {
    return hideSecret(text, this.#options.token?.expose() ?? null);
  }

  /** Sends a request and decodes its answer; what does not suit in that may be the token. */
  async #ask<T>(request: ApiRequest, decode: (answer: Buffer) => T): Promise<T> {
    const answer = await this.#send(request);
    try {
      return decode(answer);
    } catch (error) {
      if (!(error instanceof TsregError)) throw error;
      throw new TsregError(this.#hideToken(error.message), { code: error.code });
    }
  }

  async #send(request: ApiRequest): Promise<Buffer> {
    const { transport, host, token, tokenOrigin = null, caller } = this.#options;
    const { method, path, body, onUpload, mayRepeat, otherRefusal = null } = request;
    const secret = token?.expose() ?? null;
    const shown = { isWhole: caller.kind === 'cargo', secret, tokenOrigin, otherRefusal };
    const patience = {
      ...this.#options,
      answerIn: asApiError,
      ...(mayRepeat === undefined ? {} : { mayRepeat }),
    };
    return await sendPatiently(async () => {
      const response = await transport.send(
        {
          method,
          url: apiUrl(host, path),
          headers: this.#headers(request),
          ...(body === undefined ? {} : { body }),
          maxBytes: MAX_ANSWER_BYTES,
          ...(onUpload === undefined ? {} : { onSent: onUpload }),
        },
        { isOnce: true, isFollowed: true },
      );
      return readAnswer(response, shown);
    }, patience);
  }

  #headers({ contentType, needsToken }: ApiRequest): Record<string, string> {
    const { caller, isTokenRequired } = this.#options;
    const isDocumented = caller.kind === 'documented';
    const type = isDocumented ? JSON_TYPE : contentType;
    const accept = { accept: JSON_TYPE };
    const content = type === null ? {} : { 'content-type': type };
    return {
      ...(isDocumented ? { 'user-agent': caller.userAgent } : {}),
      // Cargo says first what a crate is, and otherwise first what it takes.
      ...(contentType === CRATE_TYPE ? { ...content, ...accept } : { ...accept, ...content }),
      ...(needsToken || isTokenRequired ? { authorization: this.#tokenText() } : {}),
    };
  }

  #tokenText(): string {
    const text = this.#options.token?.expose();
    if (text === undefined) {
      throw new TsregError(
        naming((program) => `no upload token found, please run \`${program} login\``),
        { code: 'auth' },
      );
    }
    checkToken(text);
    return text;
  }
}

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

function checkOk(ok: boolean): void {
  if (!ok) throw new TsregError('the registry responded that it failed: `"ok": false`', { code: 'source' });
}

/** Everything but letters and digits of ASCII in the form `%2B`. */
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

/** Length, JSON, length, archive; lengths of 32 bits, little-endian. */
function publishBody(metadata: Uint8Array, archive: UploadBody): UploadBody {
  const head = Buffer.concat([littleEndian(metadata.length), metadata, littleEndian(archive.length)]);
  return {
    length: head.length + archive.length,
    async *chunks() {
      yield head;
      yield* archive.chunks();
    },
  };
}

function littleEndian(length: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(length);
  return bytes;
}
