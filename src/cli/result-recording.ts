/** Records a run for the result cache. */
import { differentResult, findResult, isSameOutput, storeResult } from '../cache/result-cache.ts';
import type { OutputChunk } from '../cache/result-entry.ts';
import type { ResultKey } from '../cache/result-key.ts';
import type { Environment } from '../io/config/environment.ts';
import { InputRecorder } from '../io/disk/input-recorder.ts';
import type { Shell } from '../io/terminal/shell.ts';

/** The observed inputs and the output of a run. Only `finish` stores them: a run that fails calls neither method. */
export class ResultRecording {
  readonly inputs = new InputRecorder();
  readonly #key: ResultKey;
  readonly #shell: Shell;
  readonly #output: OutputChunk[] = [];
  /** With `TSREG_CACHE=verify`, the cached output; null if there is none. */
  readonly #expected: readonly OutputChunk[] | null;
  readonly #verifies: boolean;

  /** Starts a recording for `key`. Returns null if results are not cached. */
  static start(
    key: ResultKey | null,
    { env, shell }: { readonly env: Environment; readonly shell: Shell },
  ): ResultRecording | null {
    return key === null ? null : new ResultRecording(key, { shell, verifies: env.TSREG_CACHE === 'verify' });
  }

  constructor(key: ResultKey, { shell, verifies }: { readonly shell: Shell; readonly verifies: boolean }) {
    this.#key = key;
    this.#shell = shell;
    this.#verifies = verifies;
    this.#expected = verifies ? findResult(key) : null;
    shell.copyOutput((fd, bytes) => this.#output.push({ fd, bytes: Uint8Array.from(bytes) }));
  }

  /** Ends the recording of a run whose result is not cached. */
  stop(): void {
    this.#shell.copyOutput(null);
    this.inputs.reject('the command is not cacheable');
  }

  /** Stores the result of a run that succeeded. With `TSREG_CACHE=verify`, throws if the cache has another output. */
  finish(): void {
    this.#shell.copyOutput(null);
    this.#checkSame(this.#expected);
    const isStored = storeResult(this.#key, { recorder: this.inputs, output: this.#output });
    this.inputs.endRun();
    if (isStored && this.#verifies) this.#checkSame(findResult(this.#key));
  }

  /** Throws `bug` if the cached output, unless it is null, differs from that of this run. */
  #checkSame(cached: readonly OutputChunk[] | null): void {
    if (cached !== null && !isSameOutput(cached, this.#output)) throw differentResult(this.#key);
  }
}
