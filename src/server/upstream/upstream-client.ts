/** What is asked of another registry: its index and its archives. Cargo Book: Registry Index. */
import { TsregError } from '../../errors/error.ts';
import { CurlError } from '../../http/curl-error.ts';
import { headerValue, type HttpResponse, type PartReceiver } from '../../http/message.ts';
import { sendWithRetries } from '../../http/retry.ts';
import { StalledTransfer } from '../../http/stall-watch.ts';
import { StatusError } from '../../http/status-error.ts';
import type { Transport } from '../../http/transport.ts';
import { downloadUrl, type DownloadSubject } from '../../protocol/download-url.ts';
import { decodeIndexConfig, INDEX_CONFIG_FILE, type IndexConfig } from '../../protocol/index-config.ts';
import { indexPath } from '../../protocol/index-path.ts';
import { reportTo } from '../../report/report.ts';
import type { Clock } from '../clock.ts';
import { MAX_PULLED_FILE_BYTES } from '../index-limits.ts';
import type { Log } from '../log.ts';
import { Reachability } from './reachability.ts';
import { SingleFlight } from './single-flight.ts';
import { Slots } from './slots.ts';
import { UpstreamProblem } from './upstream-problem.ts';

/** How the upstream is asked. */
export interface UpstreamClientOptions {
  /** Address of its index, with a slash at the end. */
  readonly index: string;
  /** Value of the Authorization header, for a registry that needs one; null for none. */
  readonly token: string | null;
  readonly transport: Transport;
  /** Ends every request that is under way. */
  readonly ending: AbortController;
  /** Bytes of a `.crate`. */
  readonly maxCrateBytes: number;
  /** A pause between repetitions instead of the usual ones, for tests. */
  readonly fixedPauseMs: number | null;
}

/** What is known of a file of the index. */
export interface KnownState {
  readonly upstreamEtag: string | null;
  readonly upstreamModified: string | null;
}

/** What the upstream says of a file of its index. */
export type IndexAnswer =
  | ({ readonly kind: 'file'; readonly bytes: Uint8Array } & KnownState)
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'absent' };

const TOO_MANY_REQUESTS = 429;
/** Why something was not even asked for. */
export const TOO_MANY = 'too many requests wait for it already';
const MAX_CONFIG_BYTES = 64 * 1024;
/** Clients wait half a minute, and then try again themselves. */
const REPETITIONS = 1;
/** Index files at a time: each is held in memory until it has been checked. */
const INDEX_SLOTS = 16;
const MAX_WAITING = 2_000;
/** What `config.json` says is asked for again after that. */
const CONFIG_GOOD_FOR_MS = 300_000;

/** By these a registry says that it does not have something, or may not give it. */
const ABSENT: ReadonlySet<number> = new Set([404, 410, 451]);
/** Stores of files answer so where there is no file. */
const ABSENT_ARCHIVE: ReadonlySet<number> = new Set([403, ...ABSENT]);

/** Asks one registry, with bounds on everything. What fails is an `UpstreamProblem`. */
export class UpstreamClient {
  readonly #options: UpstreamClientOptions;
  readonly #context: { readonly clock: Clock; readonly log: Log };
  readonly #reach: { readonly index: Reachability; readonly archives: Reachability };
  readonly #indexSlots = new Slots(INDEX_SLOTS, MAX_WAITING);
  readonly #configs = new SingleFlight<IndexConfig>();
  #config: { readonly value: IndexConfig; readonly atMs: number } | null = null;
  #requests = 0;
  #failures = 0;

  constructor(options: UpstreamClientOptions, context: { readonly clock: Clock; readonly log: Log }) {
    this.#options = options;
    this.#context = context;
    this.#reach = {
      index: new Reachability('index', context),
      archives: new Reachability('archives', context),
    };
  }

  /** Address of the index. */
  get index(): string {
    return this.#options.index;
  }

  /** True if what was asked last was answered. */
  get isReached(): boolean {
    return this.#reach.index.isReached && this.#reach.archives.isReached;
  }

  /** Requests that were sent, repetitions not counted, and those of them that failed. */
  get counts(): { readonly requests: number; readonly failures: number } {
    return { requests: this.#requests, failures: this.#failures };
  }

  /** The file of a crate; only if it has changed, where its state is known. */
  async indexFile(lowerCaseName: string, known: KnownState | null): Promise<IndexAnswer> {
    const headers = {
      ...(known?.upstreamEtag ? { 'if-none-match': known.upstreamEtag } : {}),
      // Whoever knows the tag is not asked by time.
      ...(known?.upstreamModified && !known.upstreamEtag
        ? { 'if-modified-since': known.upstreamModified }
        : {}),
    };
    const response = await this.#index(indexPath(lowerCaseName), {
      headers,
      maxBytes: MAX_PULLED_FILE_BYTES,
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
   * Hands over the bytes of a `.crate`, unchecked; false if the upstream does not have it. `receive` is called when they
   * begin to come, again where all of it is asked for once more; what it returns gets them part by part. How many are
   * asked for at a time is the caller's to bound.
   */
  async archive(subject: DownloadSubject, receive: () => PartReceiver): Promise<boolean> {
    const { dl, authRequired } = await this.#loadConfig();
    const { token, maxCrateBytes } = this.#options;
    const url = downloadUrl(dl, subject);
    // As cargo has it: the registry that needs a token says itself where its archives are.
    const headers: Record<string, string> = authRequired && token !== null ? { authorization: token } : {};
    const response = await this.#get(this.#reach.archives, {
      ...{ url, headers, maxBytes: maxCrateBytes, receive },
      what: `the file of crate \`${subject.name}\` version \`${subject.version}\``,
      accepts: (status) => status === 200 || ABSENT_ARCHIVE.has(status),
    });
    return response.status === 200;
  }

  /** Gives up what is under way. */
  async close(): Promise<void> {
    const { ending, transport } = this.#options;
    ending.abort(new UpstreamProblem('the server stops'));
    await transport.close();
  }

  #loadConfig(): Promise<IndexConfig> {
    const nowMs = this.#context.clock.now();
    if (this.#config !== null && nowMs < this.#config.atMs + CONFIG_GOOD_FOR_MS) {
      return Promise.resolve(this.#config.value);
    }
    return this.#configs.run('', async () => {
      try {
        const response = await this.#index(INDEX_CONFIG_FILE, { headers: {}, maxBytes: MAX_CONFIG_BYTES });
        if (response.status !== 200) {
          throw this.problem('its `config.json`', `it answered with ${response.status}`);
        }
        const value = this.#readConfig(response.body);
        this.#config = { value, atMs: nowMs };
        return value;
      } catch (error) {
        // Where archives are does not change with every day.
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

  #index(
    path: string,
    { headers, maxBytes }: { readonly headers: Readonly<Record<string, string>>; readonly maxBytes: number },
  ): Promise<HttpResponse> {
    const { index, token } = this.#options;
    const what = `\`${path}\` of its index`;
    const request = {
      ...{ url: index + path, maxBytes, what },
      headers: {
        'cargo-protocol': 'version=1',
        accept: 'text/plain',
        ...headers,
        ...(token === null ? {} : { authorization: token }),
      },
      accepts: (status: number) => status === 200 || status === 304 || ABSENT.has(status),
    };
    const tooMany = (): Error => this.problem(what, TOO_MANY);
    return this.#indexSlots.run(() => this.#get(this.#reach.index, request), tooMany);
  }

  async #get(reach: Reachability, request: UpstreamRequest): Promise<HttpResponse> {
    const reason = reach.reasonToWait;
    if (reason !== null) throw this.problem(request.what, reason);
    const beganAtMs = this.#context.clock.now();
    this.#requests += 1;
    try {
      const response = await this.#send(request);
      reach.succeeded();
      return response;
    } catch (error) {
      this.#failures += 1;
      const words = shortReason(error, this.#options.token);
      // An answer that refuses one thing says nothing about the others.
      if (isBroken(error)) reach.refused(request.url, words, beganAtMs);
      else if (isAway(error)) reach.failed(words, beganAtMs);
      throw this.problem(request.what, words);
    }
  }

  #send(request: UpstreamRequest): Promise<HttpResponse> {
    const { transport, ending, fixedPauseMs } = this.#options;
    return sendWithRetries(transport, request, {
      ...{ retries: REPETITIONS, fixedPauseMs, accepts: request.accepts },
      ...{ report: reportTo({}), signal: ending.signal },
    });
  }

  /** That something could not be had from the upstream, and why. */
  problem(what: string, why: string): UpstreamProblem {
    return new UpstreamProblem(`cannot get ${what} from the upstream \`${this.index}\`: ${why}`);
  }
}

interface UpstreamRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly receive?: () => PartReceiver;
  /** For messages. */
  readonly what: string;
  readonly accepts: (status: number) => boolean;
}

/** Failures that are about one answer alone: its address, its redirects, its encoding and its size. */
const ABOUT_ONE_ANSWER: ReadonlySet<number> = new Set([1, 3, 47, 61, 63]);

/** An answer, or one that does not come, that may be about one path alone. */
function isBroken(error: unknown): boolean {
  if (error instanceof StalledTransfer) return true;
  return error instanceof StatusError && error.isSpurious && error.status !== TOO_MANY_REQUESTS;
}

function isAway(error: unknown): boolean {
  if (error instanceof StatusError) return error.isSpurious;
  return error instanceof CurlError && !ABOUT_ONE_ANSWER.has(error.curlCode);
}

/** One line, without the body of an answer, in which the token may stand. */
function shortReason(error: unknown, token: string | null): string {
  if (error instanceof StatusError) {
    const refused = error.status === 401 || error.status === 403;
    if (!refused) return `it answered with ${error.status}`;
    return `it answered with ${error.status}: ${token === null ? 'it requires a token' : 'it refuses the token'} in \`TSREG_UPSTREAM_TOKEN\``;
  }
  if (error instanceof TsregError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
