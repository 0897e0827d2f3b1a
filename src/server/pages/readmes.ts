/** Renders readmes on a thread, so that they do not delay other requests. */
import { createHash } from 'node:crypto';
import { threadProgram } from '../../io/disk/silent-worker.ts';
import type { ServerContext } from '../server-context.ts';
import { TaskFailure, TaskThreads } from '../shared/task-threads.ts';
import { html, trustedHtml, type Html } from './html.ts';
import { loadReadmeRenderer, type ReadmeOrigin } from './readme.ts';

/** A message to the thread. */
export interface ReadmeTask {
  readonly markdown: string;
  readonly from: ReadmeOrigin;
}

const PROGRAM = threadProgram('readme-worker');
const DEADLINE_MS = 1000;
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
  readonly #underWay = new Map<string, Promise<Rendered>>();

  constructor(context: Pick<ServerContext, 'clock' | 'log'>) {
    this.#context = context;
  }

  /** Returns the readme as HTML; as its source text if that fails, for example because it takes too long. */
  async render(markdown: string, from: ReadmeOrigin): Promise<Html> {
    const key = createHash('sha256')
      .update(JSON.stringify([from, markdown]))
      .digest('base64');
    const { html: rendered } = this.#cached(key) ?? (await this.#renderOnce(key, { markdown, from }));
    return rendered ?? html`<pre>${markdown}</pre>`;
  }

  #cached(key: string): Rendered | null {
    const cached = this.#cache.get(key);
    if (cached === undefined) return null;
    this.#forget(key, cached);
    if (cached.html === null && this.#context.clock.now() - cached.atMs > RETRY_FAILED_AFTER_MS) return null;
    this.#keep(key, cached);
    return cached;
  }

  #keep(key: string, rendered: Rendered): void {
    this.#cache.set(key, rendered);
    this.#cachedSize += rendered.size;
    for (const [oldest, each] of this.#cache) {
      if (this.#cachedSize <= MAX_CACHED_CHARS) break;
      this.#forget(oldest, each);
    }
  }

  #forget(key: string, { size }: Rendered): void {
    this.#cache.delete(key);
    this.#cachedSize -= size;
  }

  async #renderOnce(key: string, task: ReadmeTask): Promise<Rendered> {
    const before = this.#underWay.get(key);
    if (before !== undefined) return await before;
    const work = this.#renderAnew(key, task).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, work);
    return await work;
  }

  async #renderAnew(key: string, task: ReadmeTask): Promise<Rendered> {
    const made = (text: string | null): Rendered => ({
      html: text === null ? null : trustedHtml(text),
      // A failure takes some space too.
      size: key.length + (text?.length ?? 0),
      atMs: this.#context.clock.now(),
    });
    try {
      const text = await this.#html(task);
      const rendered = made(text.length > MAX_HTML_CHARS ? null : text);
      this.#keep(key, rendered);
      return rendered;
    } catch (error) {
      if (!(error instanceof TaskFailure)) throw error;
      this.#context.log.warning('readme-not-rendered', { kind: error.kind, reason: error.message });
      const failed = made(null);
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
