/** Calls whose results are cached. */
import { differentResult, findResult, isSameOutput, storeResult } from '../cache/result-cache.ts';
import type { OutputChunk } from '../cache/result-entry.ts';
import { resultKey } from '../cache/result-key.ts';
import { InputRecorder, recordingInputs } from '../io/disk/input-recorder.ts';
import { type OperationContext, type Report, reportThrough, reportTo } from '../core/report/report.ts';
import { call, type CallOptions, type SharedOptions } from './call.ts';
import { checkOptions, type OptionChecks } from './option-checks.ts';
import { surroundingsOf } from './surroundings.ts';

/** Options that the cache key includes separately (`cwd`, `env`), or not at all. */
const NOT_IN_KEY: ReadonlySet<string> = new Set(['cwd', 'env', 'report', 'signal']);

/**
 * Like `call`, for the function `name`, which only reads. Returns the bytes from the result cache if it has them. With
 * `TSREG_CACHE=verify`, throws if the cache has other bytes than `body` returns.
 */
export async function cachedCall<O extends CallOptions>(
  name: string,
  { options, checks }: { readonly options: O; readonly checks: OptionChecks<O> },
  body: (shared: SharedOptions, context: OperationContext) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  checkOptions(options, checks);
  const { report: receiver = {}, signal } = options;
  const { cwd, env } = surroundingsOf(options);
  const key = resultKey({ request: [name, ...keyOptions(options, checks)], cwd, env });
  if (key === null || signal?.aborted === true) return call(options, checks, body);
  const verifies = env['TSREG_CACHE'] === 'verify';
  const cached = findResult(key);
  const [cachedOutput] = cached ?? [];
  if (cachedOutput !== undefined && !verifies) return cachedOutput.bytes;
  const recorder = new InputRecorder();
  // Reports are not part of a cache entry, so a call that reports something is not cached.
  const report = reportThrough(reportTo(receiver), (method, tell) => {
    if (method !== 'progress') recorder.reject('something was reported');
    tell();
  });
  const bytes = await recordingInputs(recorder, () => call(withReport(options, report), checks, body));
  // The format of an entry requires a descriptor. Nothing is printed to it.
  const output = [{ fd: 1, bytes }] as const;
  const checkCached = (chunks: readonly OutputChunk[] | null): void => {
    if (chunks !== null && !isSameOutput(chunks, output)) throw differentResult(key);
  };
  checkCached(cached);
  const isStored = storeResult(key, { recorder, output });
  recorder.endRun();
  if (isStored && verifies) checkCached(findResult(key));
  return bytes;
}

/** Returns the same options with another receiver of reports. A copy would lose inherited options. */
function withReport<O extends CallOptions>(options: O, report: Report): O {
  const derived: O = Object.create(options, { report: { value: report } });
  return derived;
}

/** Returns the options that belong to the cache key, in a form that JSON can hold. Includes inherited properties. */
function keyOptions<O extends CallOptions>(options: O, checks: OptionChecks<O>): readonly unknown[] {
  const entries: unknown[] = [];
  for (const name in checks) {
    const value: unknown = options[name];
    if (NOT_IN_KEY.has(name) || value === undefined) continue;
    // JSON has neither NaN nor infinity.
    entries.push([name, typeof value === 'number' ? String(value) : value]);
  }
  return entries;
}
