/** Renders readmes on a thread, so that they do not delay other requests. */
import { createHash } from 'node:crypto';
import { threadProgram } from '../../io/disk/silent-worker.ts';
import type { ServerContext } from '../server-context.ts';
import { SingleFlight } from '../shared/single-flight.ts';
import { TaskFailure, TaskThreads } from '../shared/task-threads.ts';
import { html, trustedHtml, type Html } from './html.ts';
import { loadReadmeRenderer, type ReadmeOrigin } from './readme.ts';

/** A message to the thread. */
export interface ReadmeTask {
  readonly markdown: string;
  readonly from: ReadmeOrigin;
}

/** null if tsreg runs from its sources: readmes are then rendered on this thread. */
const PROGRAM = threadProgram('readme-worker');
const DEADLINE_MS = 1000;
/** Maximum readmes that wait for the thread. */
const MAX_WAITING = 64;
const MAX_HEAP_MB = 256;
/** Longer HTML is not shown. */
const MAX_HTML_CHARS = 4 * 1024 * 1024;
/** Maximum length of all cached HTML. */
const MAX_CACHED_CHARS = 16 * 1024 * 1024;
/** Delay before a readme that could not be rendered is tried again. */
const RETRY_FAILED_AFTER_MS = 10 * 60_000;

/** A rendered readme; `html` is null if that failed. */
interface Rendered {
  readonly html: Html | null;
  /** Characters that the cache counts for it. */
  readonly size: number;
  readonly atMs: number;
}

/**
 * A renderer of readmes with a thread, which may take one second for each, and a cache of the most recently used HTML.
 * Nothing is stored, so a release with a better sanitizer needs no cleanup.
 */
export class Readmes {
  readonly #context: Pick<ServerContext, 'clock' | 'log'>;
  readonly #threads =
    PROGRAM === null
      ? null
      : new TaskThreads({
          program: PROGRAM,
          count: 1,
          deadlineMs: DEADLINE_MS,
          maxWaiting: MAX_WAITING,
          maxWaitMs: 2 * DEADLINE_MS,
          maxHeapMb: MAX_HEAP_MB,
        });
  /** By digest, least recently used first. */
  readonly #cache = new Map<string, Rendered>();
  #cachedSize = 0;
  readonly #tasks = new SingleFlight<Rendered>();

  constructor(context: Pick<ServerContext, 'clock' | 'log'>) {
    this.#context = context;
  }

  /** Returns the readme as HTML; as its source text if that fails, for example because it takes too long. */
  async render(markdown: string, from: ReadmeOrigin): Promise<Html> {
    const key = createHash('sha256')
      .update(JSON.stringify([from, markdown]))
      .digest('base64');
    const { html: rendered } =
      this.#cached(key) ?? (await this.#tasks.run(key, () => this.#render(key, { markdown, from })));
    return rendered ?? html`<pre>${markdown}</pre>`;
  }

  /** Returns a cached result and marks it as just used; null if there is none, or a failure to try again. */
  #cached(key: string): Rendered | null {
    const cached = this.#cache.get(key);
    if (cached === undefined) return null;
    this.#forget(key, cached);
    if (cached.html === null && this.#context.clock.now() - cached.atMs > RETRY_FAILED_AFTER_MS) return null;
    this.#keep(key, cached);
    return cached;
  }

  /** Adds a result as the most recently used one. Evicts others if there is no room. */
  #keep(key: string, rendered: Rendered): void {
    this.#cache.set(key, rendered);
    this.#cachedSize += rendered.size;
    for (const [oldestKey, oldest] of this.#cache) {
      if (this.#cachedSize <= MAX_CACHED_CHARS) break;
      this.#forget(oldestKey, oldest);
    }
  }

  #forget(key: string, { size }: Rendered): void {
    this.#cache.delete(key);
    this.#cachedSize -= size;
  }

  /** Renders a readme and caches the result. Caches a failure too, unless the thread was only busy. */
  async #render(key: string, task: ReadmeTask): Promise<Rendered> {
    const renderedOf = (text: string | null): Rendered => ({
      html: text === null ? null : trustedHtml(text),
      // A failure takes some space too.
      size: key.length + (text?.length ?? 0),
      atMs: this.#context.clock.now(),
    });
    try {
      const text = await this.#html(task);
      const rendered = renderedOf(text.length > MAX_HTML_CHARS ? null : text);
      this.#keep(key, rendered);
      return rendered;
    } catch (error) {
      if (!(error instanceof TaskFailure)) throw error;
      this.#context.log.warning('readme-not-rendered', { kind: error.kind, reason: error.message });
      const failed = renderedOf(null);
      if (error.kind !== 'busy') this.#keep(key, failed);
      return failed;
    }
  }

  async #html(task: ReadmeTask): Promise<string> {
    if (this.#threads === null) return (await loadReadmeRenderer()).render(task.markdown, task.from).text;
    const result = await this.#threads.run(() => Promise.resolve({ message: task }));
    if (typeof result !== 'string') throw new TaskFailure('failed', 'the thread gave no HTML');
    return result;
  }
}
