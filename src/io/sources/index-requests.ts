/** Requests for the files of a sparse index. Cargo Book: Registry Index, Sparse protocol. */
import { isHttpConfigured, isNetConfigured } from '../config/network-settings.ts';
import { TsregError } from '../../core/errors/error.ts';
import { checkUri } from '../http/check-uri.ts';
import { headerValue, type HttpRequest, type HttpResponse, shownHeaders } from '../http/message.ts';
import { type Outcome, sendPrefetch, getWithRetries } from '../http/retry.ts';
import { StatusError } from '../http/status-error.ts';
import { describeIndex } from '../../core/package-id/describe.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import { authorizationOf } from '../../core/protocol/check-token.ts';
import { hideSecret } from '../../core/protocol/hide-secret.ts';
import { INDEX_CONFIG_FILE } from '../../core/protocol/index-config.ts';
import type { RegistryAccess } from './registry-access.ts';
import type { RegistryContext } from './source-context.ts';

/** Ten times the largest file of crates.io. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_CONFIG_BYTES = 1024 * 1024;

/** The result of a request for an index file. */
export type RequestedFile =
  | { readonly bytes: Buffer; readonly revision: string }
  | 'not-modified'
  | 'not-found';

/** Requests files of one index, with a token if necessary. Stores nothing. */
export class IndexRequests {
  /** True if requests must send a token. Set it to `authRequired` of `config.json` when that is known. */
  needsToken = false;
  readonly #source: SourceId;
  readonly #context: RegistryContext;
  readonly #access: RegistryAccess;
  #wasAnnounced = false;
  /** Headers of a 401 response, which describe how to log in. */
  #challenge: readonly (readonly [string, string])[] = [];

  /** `source` is the registry of the index. */
  constructor(source: SourceId, context: RegistryContext, access: RegistryAccess) {
    this.#source = source;
    this.#context = context;
    this.#access = access;
  }

  /**
   * Prints `Updating`, once. Returns false if no request follows: the network is forbidden, or `[net]` or `[http]` is
   * invalid, which the next request reports.
   */
  announce(): boolean {
    const { config, offlineFlag, report } = this.#context;
    if (offlineFlag !== null) return false;
    const isNetValid = isNetConfigured(config);
    if (isNetValid && !this.#wasAnnounced) report.status('Updating', describeIndex(this.#source));
    this.#wasAnnounced = true;
    return isNetValid && isHttpConfigured(config);
  }

  /** Makes `announce` print again. */
  forgetAnnouncement(): void {
    this.#wasAnnounced = false;
  }

  /** Requests a file without a token. Reports nothing. */
  prefetch(path: string, revision: string | null): Promise<Outcome> {
    return sendPrefetch(this.#access.transport, this.#requestOf(path, revision, null), accepts);
  }

  /**
   * Requests a file; with a revision, only if it changed. `prefetched` is the outcome of the same request without a
   * token, sent earlier. Repeats the request for `config.json` with a token if the registry needs one. Rejects with
   * cargo's chain of causes.
   */
  async send(path: string, revision: string | null, prefetched?: Promise<Outcome>): Promise<RequestedFile> {
    // cargo reads `[net]` before it prints "Updating", and `[http]` afterwards.
    const { retry } = this.#access;
    this.announce();
    const { transport } = this.#access;
    checkUri(this.#source.url + path);
    for (;;) {
      const token = this.needsToken ? await this.token() : null;
      const request = this.#requestOf(path, revision, token);
      const response = await getWithRetries(transport, request, {
        ...retry,
        accepts,
        ahead: token === null ? (prefetched ?? null) : null,
      }).catch((error: unknown) => {
        // cargo treats an HTTP status as a response, not as a failed download.
        if (error instanceof StatusError) throw error;
        throw new TsregError(`download of ${path} failed`, { cause: error });
      });
      switch (response.status) {
        case 200:
          return {
            bytes: Buffer.from(response.body.buffer, response.body.byteOffset, response.body.length),
            revision: revisionOf(response),
          };
        case 304:
          return 'not-modified';
        case 401: {
          this.#challenge = shownHeaders(response);
          if (path === INDEX_CONFIG_FILE && token === null) {
            this.needsToken = true;
            continue;
          }
          const body = withoutSecret(response.body, token);
          const cause = new StatusError({ ...response, body });
          if (token === null) throw cause;
          throw this.#access.credentials.rejectedTokenError(this.#source, { cause, token, response });
        }
        default:
          return 'not-found';
      }
    }
  }

  /** Returns the token of the registry. Rejects if there is none. */
  async token(): Promise<string> {
    return (await this.#access.credentials.indexToken(this.#source, this.#challenge)).expose();
  }

  /** Returns the request for a file. With a revision, it asks for the file only if it changed. */
  #requestOf(path: string, revision: string | null, token: string | null): HttpRequest {
    // An empty token is not sent.
    const authorization = token === null ? null : authorizationOf(token);
    const headers = {
      'cargo-protocol': 'version=1',
      accept: 'text/plain',
      ...(revision === null ? {} : conditionalHeaders(revision)),
      ...(authorization === null ? {} : { authorization }),
    };
    const maxBytes = path === INDEX_CONFIG_FILE ? MAX_CONFIG_BYTES : MAX_FILE_BYTES;
    return { url: this.#source.url + path, headers, maxBytes };
  }
}

/** Returns true for a status that `send` handles. */
function accepts(status: number): boolean {
  return [200, 304, 401, 404].includes(status);
}

/** Removes the token from a response body, in case the server sends it back. */
function withoutSecret(body: Uint8Array, secret: string | null): Uint8Array {
  const text = Buffer.from(body).toString();
  const safe = hideSecret(text, secret);
  return safe === text ? body : Buffer.from(safe);
}

/** The revision of a file whose response has no validator. */
const UNKNOWN_REVISION = 'Unknown';

/** Returns the revision of the file in a response: `etag: …`, `last-modified: …` or `Unknown`. */
function revisionOf(response: HttpResponse): string {
  const etag = headerValue(response, 'etag');
  if (etag !== null) return `etag: ${etag.trim()}`;
  const lastModified = headerValue(response, 'last-modified');
  return lastModified === null ? UNKNOWN_REVISION : `last-modified: ${lastModified.trim()}`;
}

/** Returns the request headers that ask for a file only if it changed since `revision`; none if that is impossible. */
function conditionalHeaders(revision: string): Record<string, string> {
  const colon = revision.indexOf(':');
  if (colon === -1) return {};
  const value = revision.slice(colon + 1).trim();
  switch (revision.slice(0, colon)) {
    case 'etag':
      return { 'if-none-match': value };
    case 'last-modified':
      return { 'if-modified-since': value };
    default:
      return {};
  }
}
