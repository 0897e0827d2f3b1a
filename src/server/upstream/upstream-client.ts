/** Requests to another registry for its index and its archives. Cargo Book: Registry Index. */
import { headerValue, type HttpResponse, type PartReceiver } from '../../io/http/message.ts';
import { getWithRetries } from '../../io/http/retry.ts';
import { StatusError } from '../../io/http/status-error.ts';
import type { Transport } from '../../io/http/transport.ts';
import { downloadUrl, type DownloadSubject } from '../../core/protocol/download-url.ts';
import { decodeIndexConfig, INDEX_CONFIG_FILE, type IndexConfig } from '../../core/protocol/index-config.ts';
import { indexPath } from '../../core/protocol/index-path.ts';
import { reportTo } from '../../core/report/report.ts';
import type { Clock } from '../shared/clock.ts';
import { MAX_MIRRORED_FILE_BYTES } from '../store/index-limits.ts';
import type { UpstreamFailure } from '../store/mirror-status.ts';
import { GateRefusal } from '../shared/gate-refusal.ts';
import type { Log } from '../shared/log.ts';
import { crateRefusalIn, describeUpstreamRefusal } from './describe-refusal.ts';
import { Reachability } from './reachability.ts';
import { describeFailure, scopeOfFailure } from './request-failure.ts';
import { SingleFlight } from '../shared/single-flight.ts';
import { Slots } from '../shared/slots.ts';
import { UpstreamProblem } from '../shared/upstream-problem.ts';

/** Options for requests to the upstream. */
export interface UpstreamClientOptions {
  /** URL of its index, with a trailing slash. */
  readonly indexUrl: string;
  /** Value of the Authorization header, for a registry that needs one; null for none. */
  readonly token: string | null;
  readonly transport: Transport;
  /** Aborts all requests in progress. */
  readonly abortController: AbortController;
  /** Maximum bytes of a `.crate`. */
  readonly maxCrateBytes: number;
  /** Replaces the usual pauses before retries, for tests; null otherwise. */
  readonly fixedPauseMs: number | null;
}

/** The upstream's validators of an index file. */
export interface KnownState {
  readonly upstreamEtag: string | null;
  readonly upstreamModified: string | null;
}

/** The response of the upstream to a request for an index file. */
export type IndexResponse =
  | ({ readonly kind: 'file'; readonly bytes: Uint8Array } & KnownState)
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'absent' };

/** The reason if a request was not even sent. */
export const QUEUE_IS_FULL = 'too many requests wait for it already';
const MAX_CONFIG_BYTES = 64 * 1024;
/** Few, because clients wait half a minute and then try again themselves. */
const RETRIES = 1;
/** Requests for index files at a time. Each file is held in memory until it has been checked. */
const INDEX_SLOTS = 16;
/** Maximum requests for index files that wait for their turn. */
const MAX_WAITING = 2_000;
/** Age after which `config.json` is requested again. */
const CONFIG_GOOD_FOR_MS = 300_000;

const FORBIDDEN = 403;
/** Statuses for a file that a registry does not have or may not serve. */
const ABSENT: ReadonlySet<number> = new Set([404, 410, 451]);
/** Object stores also respond with 403 if a file does not exist. */
const ABSENT_ARCHIVE: ReadonlySet<number> = new Set([FORBIDDEN, ...ABSENT]);

/**
 * A client for one registry, with limits on everything. Failed requests throw `UpstreamProblem`. If the upstream is
 * another tsreg whose gates refuse all versions of a crate, they throw `GateRefusal`.
 */
export class UpstreamClient {
  readonly #options: UpstreamClientOptions;
  readonly #context: { readonly clock: Clock; readonly log: Log };
  /** Whether the host of the index, and that of the archives, responded lately. */
  readonly #reach: { readonly index: Reachability; readonly archives: Reachability };
  readonly #indexSlots = new Slots(INDEX_SLOTS, MAX_WAITING);
  readonly #configRequests = new SingleFlight<IndexConfig>();
  #config: { readonly value: IndexConfig; readonly atMs: number } | null = null;
  #requests = 0;
  #failures = 0;
  #lastResponseAtMs: number | null = null;
  #lastFailure: UpstreamFailure | null = null;

  constructor(options: UpstreamClientOptions, context: { readonly clock: Clock; readonly log: Log }) {
    this.#options = options;
    this.#context = context;
    this.#reach = {
      index: new Reachability('index', context),
      archives: new Reachability('archives', context),
    };
  }

  /** URL of the index. */
  get indexUrl(): string {
    return this.#options.indexUrl;
  }

  /** Whether index and archives were both reachable at the last attempt. */
  get isReached(): boolean {
    return this.#reach.index.isReached && this.#reach.archives.isReached;
  }

  /** Counts of requests and of failed ones, without retries. */
  get counts(): { readonly requests: number; readonly failures: number } {
    return { requests: this.#requests, failures: this.#failures };
  }

  /** Time of the last response, and the last failed request; null for none. */
  get last(): { readonly responseAtMs: number | null; readonly failure: UpstreamFailure | null } {
    return { responseAtMs: this.#lastResponseAtMs, failure: this.#lastFailure };
  }

  /** Requests the index file of a crate; with a `known` state, only if it has changed. */
  async indexFile(lowerCaseName: string, known: KnownState | null): Promise<IndexResponse> {
    const headers = {
      ...(known?.upstreamEtag ? { 'if-none-match': known.upstreamEtag } : {}),
      // The time is not needed if the tag is known.
      ...(known?.upstreamModified && !known.upstreamEtag
        ? { 'if-modified-since': known.upstreamModified }
        : {}),
    };
    const response = await this.#requestFromIndex(indexPath(lowerCaseName), {
      headers,
      maxBytes: MAX_MIRRORED_FILE_BYTES,
    });
    if (ABSENT.has(response.status)) return { kind: 'absent' };
    if (response.status === 304) {
      if (known !== null) return { kind: 'unchanged' };
      throw this.problem(
        `the index file of \`${lowerCaseName}\``,
        'it answered 304 to a request without a condition',
      );
    }
    return {
      kind: 'file',
      bytes: response.body,
      upstreamEtag: headerValue(response, 'etag'),
      upstreamModified: headerValue(response, 'last-modified'),
    };
  }

  /**
   * Downloads a `.crate` without checking it. Returns false if the upstream does not have it. `receive` is called when
   * the bytes begin to arrive, and again for a retry. The function that it returns gets them part by part. The caller
   * must limit concurrent downloads.
   */
  async archive(subject: DownloadSubject, receive: () => PartReceiver): Promise<boolean> {
    const { dl, authRequired } = await this.#loadConfig();
    const { token, maxCrateBytes } = this.#options;
    const url = downloadUrl(dl, subject);
    // As in cargo: the registry that needs a token also chooses the host of its archives.
    const headers: Record<string, string> = authRequired && token !== null ? { authorization: token } : {};
    const response = await this.#get(this.#reach.archives, {
      url,
      headers,
      maxBytes: maxCrateBytes,
      receive,
      what: `the file of crate \`${subject.name}\` version \`${subject.version}\``,
      accepts: (status) => status === 200 || ABSENT_ARCHIVE.has(status),
    });
    return response.status === 200;
  }

  /** Aborts all requests in progress and closes the connections. */
  async close(): Promise<void> {
    const { abortController, transport } = this.#options;
    abortController.abort(new UpstreamProblem('the server stops'));
    await transport.close();
  }

  /** Returns the configuration of the index, at most `CONFIG_GOOD_FOR_MS` old unless the upstream fails. */
  #loadConfig(): Promise<IndexConfig> {
    const nowMs = this.#context.clock.now();
    if (this.#config !== null && nowMs < this.#config.atMs + CONFIG_GOOD_FOR_MS) {
      return Promise.resolve(this.#config.value);
    }
    return this.#configRequests.run(INDEX_CONFIG_FILE, async () => {
      try {
        const response = await this.#requestFromIndex(INDEX_CONFIG_FILE, {
          headers: {},
          maxBytes: MAX_CONFIG_BYTES,
        });
        if (response.status !== 200) {
          throw this.problem('its `config.json`', `it answered with ${response.status}`);
        }
        const value = this.#readConfig(response.body);
        this.#config = { value, atMs: nowMs };
        return value;
      } catch (error) {
        // The location of the archives rarely changes, so an old configuration is better than none.
        if (error instanceof UpstreamProblem && this.#config !== null) return this.#config.value;
        throw error;
      }
    });
  }

  #readConfig(bytes: Uint8Array): IndexConfig {
    try {
      return decodeIndexConfig(bytes);
    } catch (error) {
      throw this.problem('its `config.json`', error instanceof Error ? error.message : String(error));
    }
  }

  #requestFromIndex(
    path: string,
    { headers, maxBytes }: { readonly headers: Readonly<Record<string, string>>; readonly maxBytes: number },
  ): Promise<HttpResponse> {
    const { indexUrl, token } = this.#options;
    const what = `\`${path}\` of its index`;
    const request = {
      url: indexUrl + path,
      maxBytes,
      what,
      headers: {
        'cargo-protocol': 'version=1',
        accept: 'text/plain',
        ...headers,
        ...(token === null ? {} : { authorization: token }),
      },
      accepts: (status: number) => status === 200 || status === 304 || ABSENT.has(status),
    };
    return this.#indexSlots.run(
      () => this.#get(this.#reach.index, request),
      () => this.problem(what, QUEUE_IS_FULL),
    );
  }

  /** Sends a request unless the host failed lately, and notes the result. */
  async #get(reach: Reachability, request: UpstreamRequest): Promise<HttpResponse> {
    const reason = reach.reasonToWait;
    if (reason !== null) throw this.problem(request.what, reason);
    const beganAtMs = this.#context.clock.now();
    this.#requests += 1;
    try {
      const response = await this.#send(request);
      reach.succeeded();
      this.#lastResponseAtMs = this.#context.clock.now();
      return response;
    } catch (error) {
      if (error instanceof GateRefusal) {
        reach.succeeded();
        throw error;
      }
      this.#failures += 1;
      const failedReason = describeFailure(error, this.#options.token);
      const scope = scopeOfFailure(error);
      if (scope === 'broken') reach.pathFailed(request.url, failedReason, beganAtMs);
      else if (scope === 'away') reach.failed(failedReason, beganAtMs);
      const problem = this.problem(request.what, failedReason);
      this.#lastFailure = { atMs: this.#context.clock.now(), reason: problem.message };
      throw problem;
    }
  }

  /** Sends a request, with retries. Throws `GateRefusal` or `StatusError` for a status that it does not accept. */
  async #send(request: UpstreamRequest): Promise<HttpResponse> {
    const { transport, abortController, fixedPauseMs } = this.#options;
    const response = await getWithRetries(transport, request, {
      retries: RETRIES,
      fixedPauseMs,
      accepts: (status) => status === FORBIDDEN || request.accepts(status),
      report: reportTo({}),
      signal: abortController.signal,
    });
    if (request.accepts(response.status)) return response;
    const refusal = crateRefusalIn(response.body);
    if (refusal === null) throw new StatusError(response);
    throw new GateRefusal(describeUpstreamRefusal(this.indexUrl, refusal));
  }

  /** Returns the error for a file that cannot be downloaded, with the reason. */
  problem(what: string, why: string): UpstreamProblem {
    return new UpstreamProblem(`cannot get ${what} from the upstream \`${this.indexUrl}\`: ${why}`);
  }
}

/** A GET request to the upstream. */
interface UpstreamRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** Makes the receiver of the body, once for each attempt; absent to hold the body in memory. */
  readonly receive?: () => PartReceiver;
  /** For messages. */
  readonly what: string;
  /** Whether a response with the status is a result. All others are failures. */
  readonly accepts: (status: number) => boolean;
}
