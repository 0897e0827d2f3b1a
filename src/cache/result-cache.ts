/** The result cache: output of read-only runs, reused as long as all their observed inputs are unchanged. */
import { type FileFingerprint, takeFingerprint } from '../io/disk/fingerprint.ts';
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
import { cacheFolderOf, type ResultKey } from './result-key.ts';

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
  /** Its observed inputs. */
  readonly recorder: InputRecorder;
  /** All that it printed. */
  readonly output: readonly OutputChunk[];
}

/**
 * Stores the result of a run, and trims the cache. Returns false, and stores nothing, if the result depends on more
 * than files, or if one of them may have changed during the run. Returns true even if the entry cannot be written.
 */
export function storeResult(key: ResultKey, { recorder, output }: FinishedRun): boolean {
  const inputs = recorder.rejection === null ? storedInputs(recorder) : null;
  if (inputs === null) return false;
  writeCacheFile(key.path, encodeEntry({ key: key.text, inputs, output }));
  trimCache(cacheFolderOf(key));
  return true;
}

/** Returns the inputs to store; null if a file with a fingerprint is missing or too new. */
function storedInputs(recorder: InputRecorder): StoredInputs | null {
  const fingerprints: FileFingerprint[] = [];
  // Another Node may replace this one: another release, or one for another machine.
  for (const path of new Set([...recorder.wholeFiles, process.execPath])) {
    const fingerprint = recorder.fingerprints.get(path) ?? takeFingerprint(path);
    if (fingerprint === null || !recorder.isSafeToCache(fingerprint)) return null;
    fingerprints.push(fingerprint);
  }
  return {
    contents: [...recorder.contents],
    listings: [...recorder.listings],
    kinds: [...recorder.kinds],
    presences: [...recorder.presences],
    realPaths: [...recorder.realPaths],
    fingerprints,
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
