/** The result cache: output of read-only runs, reused as long as all their observed inputs are unchanged. */
import { dirname } from 'node:path';
import { takeFingerprint } from '../io/disk/fingerprint.ts';
import type { InputRecorder } from '../io/disk/input-recorder.ts';
import { TsregError } from '../core/errors/error.ts';
import { readCacheFile, trimCache, writeCacheFile } from './cache-folder.ts';
import {
  areUnchanged,
  decodeEntry,
  encodeEntry,
  type OutputChunk,
  type ResultEntry,
  type StoredInputs,
} from './result-entry.ts';
import type { ResultKey } from './result-key.ts';

/** Returns the cache entry for a key; null if there is none, or if one of its observed inputs has changed. */
export function findEntry({ text, path }: ResultKey): ResultEntry | null {
  const bytes = readCacheFile(path);
  if (bytes === null) return null;
  try {
    const entry = decodeEntry(bytes);
    return entry?.key === text && areUnchanged(entry.inputs) ? entry : null;
  } catch {
    // An observed input cannot be read. The run itself will report which.
    return null;
  }
}

/** Returns the output for a key, or null, as `findEntry` does. */
export function findResult(key: ResultKey): readonly OutputChunk[] | null {
  return findEntry(key)?.output ?? null;
}

/** A run that succeeded. */
export interface FinishedRun {
  readonly recorder: InputRecorder;
  readonly output: readonly OutputChunk[];
}

/**
 * Stores the result of a run. Returns false, and stores nothing, if it depends on more than files, or if one of them
 * may have changed during the run.
 */
export function storeResult({ text, path }: ResultKey, run: FinishedRun): boolean {
  const inputs = run.recorder.rejection === null ? storedInputs(run.recorder) : null;
  if (inputs === null) return false;
  writeCacheFile(path, encodeEntry({ key: text, inputs, output: run.output }));
  trimCache(dirname(dirname(path)));
  return true;
}

/** Returns the inputs to store; null if a file with a fingerprint is missing or too new. */
function storedInputs(recorder: InputRecorder): StoredInputs | null {
  // Another Node may replace this one: another release, or one for another machine.
  recorder.wholeFiles.add(process.execPath);
  const fingerprints = Array.from(
    recorder.wholeFiles,
    (path) => recorder.fingerprints.get(path) ?? takeFingerprint(path),
  );
  const areSafe = fingerprints.every(
    (fingerprint) => fingerprint !== null && recorder.isSafeToCache(fingerprint),
  );
  if (!areSafe) return null;
  return {
    contents: [...recorder.contents],
    listings: [...recorder.listings],
    kinds: [...recorder.kinds],
    presences: [...recorder.presences],
    realPaths: [...recorder.realPaths],
    fingerprints: fingerprints.filter((fingerprint) => fingerprint !== null),
  };
}

/** Returns true if two runs printed the same, however it was split into pieces. */
export function isSameOutput(one: readonly OutputChunk[], other: readonly OutputChunk[]): boolean {
  const bytesOf = (chunks: readonly OutputChunk[], fd: 1 | 2): Buffer =>
    Buffer.concat(chunks.flatMap((chunk) => (chunk.fd === fd ? [chunk.bytes] : [])));
  return ([1, 2] as const).every((fd) => bytesOf(one, fd).equals(bytesOf(other, fd)));
}

/** Returns the error that `TSREG_CACHE=verify` throws for a wrong cached result. */
export function differentResult({ path }: ResultKey): TsregError {
  return new TsregError('the cached result differs from that of a run without the cache', {
    code: 'bug',
    hint: `remove \`${path}\``,
  });
}
