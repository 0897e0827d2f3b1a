/** Calls whose results are cached. */
import { differentResult, findResult, isSameOutput, storeResult } from '../cache/result-cache.ts';
import type { OutputChunk } from '../cache/result-entry.ts';
import { resultKey } from '../cache/result-key.ts';
import { InputRecorder, recordingInputs } from '../io/disk/input-recorder.ts';
import { type OperationContext, type Report, reportThrough, reportTo } from '../core/report/report.ts';
import { call, type CallOptions, type SharedOptions } from './call.ts';
import { checkOptions, type OptionChecks } from './option-checks.ts';

/** Like `call`, for a function that only reads. Returns the bytes from the result cache if it has them. */
export async function cachedCall<O extends CallOptions>(
  name: string,
  { options, checks }: { readonly options: O; readonly checks: OptionChecks<O> },
  body: (shared: SharedOptions, context: OperationContext) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  checkOptions(options, checks);
  const { cwd, env, report: receiver = {}, signal } = options;
  const key = resultKey({ request: [name, ...requested(options, checks)], cwd, env });
  if (key === null || signal?.aborted === true) return call(options, checks, body);
  const verifies = env['TSREG_CACHE'] === 'verify';
  const cached = findResult(key);
  const [found] = cached ?? [];
  if (found !== undefined && !verifies) return found.bytes;
  const recorder = new InputRecorder();
  // Reports are not part of a cache entry, so a call that reports something is not cached.
  const report = reportThrough(reportTo(receiver), (method, tell) => {
    if (method !== 'progress') recorder.reject('something was reported');
    tell();
  });
  const bytes = await recordingInputs(recorder, () => call(withReport(options, report), checks, body));
  const output = [{ fd: 1, bytes }] as const;
  const compare = (stored: readonly OutputChunk[] | null): void => {
    if (stored !== null && !isSameOutput(stored, output)) throw differentResult(key);
  };
  compare(cached);
  const isStored = storeResult(key, { recorder, output });
  recorder.endRun();
  if (isStored && verifies) compare(findResult(key));
  return bytes;
}

/** Returns the same options with another receiver of reports. */
function withReport<O extends CallOptions>(options: O, report: Report): O {
  const changed: O = Object.create(options, { report: { value: report } });
  return changed;
}

/** Returns the options that belong to the cache key, in a form that JSON can hold. Includes inherited properties. */
function requested<O extends CallOptions>(options: O, checks: OptionChecks<O>): readonly unknown[] {
  const asked: unknown[] = [];
  for (const name in checks) {
    const value: unknown = options[name];
    // JSON has neither NaN nor infinity.
    if (!(name in AROUND) && value !== undefined)
      asked.push([name, typeof value === 'number' ? String(value) : value]);
  }
  return asked;
}

/** Options that every cache key includes separately, or none. */
const AROUND = { cwd: true, env: true, report: true, signal: true };
