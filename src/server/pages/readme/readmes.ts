/** Renders readmes on a thread, so that they do not delay other requests. */
import { createHash } from 'node:crypto';
import { threadProgram } from '../../../io/disk/silent-worker.ts';
import type { ServerContext } from '../../server-context.ts';
import { BoundedCache } from '../../shared/bounded-cache.ts';
import { SingleFlight } from '../../shared/single-flight.ts';
import { TaskFailure, taskThreads } from '../../shared/task-threads.ts';
import { html, trustedHtml, type Html } from '../shared/html.ts';
import { loadReadmeRenderer } from './readme.ts';
import type { ReadmeOrigin } from './readme-links.ts';

/** A message to the thread. */
export interface ReadmeTask {
  readonly markdown: string;
  readonly origin: ReadmeOrigin;
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

/** The result of rendering a readme at a time; `html` is null if that failed. */
interface Rendered {
  readonly html: Html | null;
  readonly atMs: number;
}

/**
 * A renderer of readmes with a thread, which may take one second for each, and a cache of the most recently used HTML.
 * Nothing is stored, so a release with a better sanitizer needs no cleanup.
 */
export class Readmes {
  readonly #context: Pick<ServerContext, 'clock' | 'log'>;
  readonly #threads = taskThreads(PROGRAM, {
    count: 1,
    deadlineMs: DEADLINE_MS,
    maxWaiting: MAX_WAITING,
    maxWaitMs: 2 * DEADLINE_MS,
    maxHeapMb: MAX_HEAP_MB,
  });
  /** By digest. */
  readonly #cache = new BoundedCache<Rendered>(MAX_CACHED_CHARS);
  readonly #tasks = new SingleFlight<Rendered>();

  constructor(context: Pick<ServerContext, 'clock' | 'log'>) {
    this.#context = context;
  }

  /** Returns the readme as HTML; as its source text if that fails, for example because it takes too long. */
  async render(markdown: string, origin: ReadmeOrigin): Promise<Html> {
    const key = createHash('sha256')
      .update(JSON.stringify([origin, markdown]))
      .digest('base64');
    const { html: rendered } =
      this.#cached(key) ?? (await this.#tasks.run(key, () => this.#render(key, { markdown, origin })));
    return rendered ?? html`<pre>${markdown}</pre>`;
  }

  /** Returns a cached result; null if there is none, or a failure to try again. */
  #cached(key: string): Rendered | null {
    const cached = this.#cache.get(key);
    const isOld = cached?.html === null && this.#context.clock.now() - cached.atMs > RETRY_FAILED_AFTER_MS;
    return isOld ? null : cached;
  }

  /** Renders a readme and caches the result. Caches a failure too, unless the thread was only busy. */
  async #render(key: string, task: ReadmeTask): Promise<Rendered> {
    try {
      const text = await this.#html(task);
      return this.#addToCache(key, text.length > MAX_HTML_CHARS ? null : trustedHtml(text));
    } catch (error) {
      if (!(error instanceof TaskFailure)) throw error;
      const { clock, log } = this.#context;
      log.warning('readme-not-rendered', { kind: error.kind, reason: error.message });
      return error.kind === 'busy' ? { html: null, atMs: clock.now() } : this.#addToCache(key, null);
    }
  }

  #addToCache(key: string, rendered: Html | null): Rendered {
    const result = { html: rendered, atMs: this.#context.clock.now() };
    // A failure takes some space too.
    this.#cache.set(key, result, key.length + (rendered?.text.length ?? 0));
    return result;
  }

  /** Renders a readme on the thread. Throws `TaskFailure` if the thread fails, is too slow or has too many tasks. */
  async #html(task: ReadmeTask): Promise<string> {
    if (this.#threads === null) return (await loadReadmeRenderer()).render(task.markdown, task.origin).text;
    const result = await this.#threads.run(() => Promise.resolve({ message: task }));
    if (typeof result !== 'string') throw new TaskFailure('failed', 'the thread gave no HTML');
    return result;
  }
}
