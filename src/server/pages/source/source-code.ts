/** Shows code with its syntax highlighted on a thread, so that it does not delay other requests. */
import { threadProgram } from '../../../io/disk/silent-worker.ts';
import type { ServerContext } from '../../server-context.ts';
import { BoundedCache } from '../../shared/bounded-cache.ts';
import { SingleFlight } from '../../shared/single-flight.ts';
import { TaskFailure, taskThreads } from '../../shared/task-threads.ts';
import { trustedHtml, type Html } from '../shared/html.ts';
import { loadHighlighter, type CodeTask } from '../code/source-highlight.ts';
import { languageOf } from '../code/source-language.ts';
import { codeText, linesOf, numberedLines } from '../code/source-text.ts';

/** null if tsreg runs from its sources: code is then highlighted on this thread. */
const PROGRAM = threadProgram('readme-worker');
const DEADLINE_MS = 2000;
/** Maximum files that wait for the thread. */
const MAX_WAITING = 64;
const MAX_HEAP_MB = 256;
/** Longer code is shown without highlighting. */
const MAX_CODE_CHARS = 512 * 1024;
/** Maximum length of all cached HTML. */
const MAX_CACHED_CHARS = 16 * 1024 * 1024;

/** Delay before code that took too long is tried again. */
const RETRY_FAILED_AFTER_MS = 10 * 60_000;

/** Numbered lines of code, highlighted or not. */
interface Rendered {
  readonly html: Html;
  /** The time at which highlighting failed; null if it did not. */
  readonly failedAtMs: number | null;
}

/** A file with code. */
export interface CodeFile {
  /** The key in the cache, which other contents must not have. */
  readonly key: string;
  readonly path: string;
  readonly text: string;
}

/** Highlights code with a thread, and caches the most recently used HTML. */
export class SourceCode {
  readonly #context: Pick<ServerContext, 'clock' | 'log'>;
  readonly #threads = taskThreads(PROGRAM, {
    count: 1,
    deadlineMs: DEADLINE_MS,
    maxWaiting: MAX_WAITING,
    maxWaitMs: DEADLINE_MS,
    maxHeapMb: MAX_HEAP_MB,
  });
  readonly #cache = new BoundedCache<Rendered>(MAX_CACHED_CHARS);
  readonly #tasks = new SingleFlight<Rendered>();

  constructor(context: Pick<ServerContext, 'clock' | 'log'>) {
    this.#context = context;
  }

  /** Returns numbered lines of code; not highlighted if the language is not known, or it would take too long. */
  async render({ key, path, text }: CodeFile): Promise<Html> {
    const language = languageOf(path);
    if (language === null || text.length > MAX_CODE_CHARS) return plainCode(text);
    const cached = this.#cached(key);
    const { html } =
      cached ?? (await this.#tasks.run(key, () => this.#render(key, { code: text, language })));
    return html;
  }

  /** Returns a cached result; null if there is none, or a failure to try again. */
  #cached(key: string): Rendered | null {
    const cached = this.#cache.get(key);
    const failedAtMs = cached?.failedAtMs ?? null;
    const isOld = failedAtMs !== null && this.#context.clock.now() - failedAtMs > RETRY_FAILED_AFTER_MS;
    return isOld ? null : cached;
  }

  /** Highlights code and caches the result. Caches a failure too, unless the thread was only busy. */
  async #render(key: string, task: CodeTask): Promise<Rendered> {
    try {
      return this.#addToCache(key, { html: await this.#highlight(task), failedAtMs: null });
    } catch (error) {
      if (!(error instanceof TaskFailure)) throw error;
      const { clock, log } = this.#context;
      log.warning('source-not-highlighted', { kind: error.kind, reason: error.message });
      const plain = { html: plainCode(task.code), failedAtMs: clock.now() };
      return error.kind === 'busy' ? plain : this.#addToCache(key, plain);
    }
  }

  #addToCache(key: string, rendered: Rendered): Rendered {
    this.#cache.set(key, rendered, rendered.html.text.length);
    return rendered;
  }

  /** Highlights code on the thread. Throws `TaskFailure` if the thread fails, is too slow or has too many tasks. */
  async #highlight(task: CodeTask): Promise<Html> {
    if (this.#threads === null) return numberedLines((await loadHighlighter())(task));
    const result = await this.#threads.run(() => Promise.resolve({ message: task }));
    if (typeof result !== 'string') throw new TaskFailure('failed', 'the thread gave no HTML');
    return trustedHtml(result);
  }
}

function plainCode(text: string): Html {
  return numberedLines(linesOf(text).map(codeText));
}
