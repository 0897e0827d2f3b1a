/** The result cache: finished output of read-only runs, reused as long as everything that they observed is unchanged. */
import { dirname } from 'node:path';
import { takeFingerprint } from '../disk/fingerprint.ts';
import type { InputRecorder } from '../disk/input-recorder.ts';
import { TsregError } from '../errors/error.ts';
import { readCacheFile, trimCache, writeCacheFile } from './cache-folder.ts';
import {
  areUnchanged,
  decodeEntry,
  encodeEntry,
  type OutputPiece,
  type ResultEntry,
  type StoredInputs,
} from './result-entry.ts';
import type { ResultKey } from './result-key.ts';

/** The entry of an earlier run with this key, if nothing that it observed has changed; else null. */
export function findEntry({ text, path }: ResultKey): ResultEntry | null {
  const bytes = readCacheFile(path);
  if (bytes === null) return null;
  try {
    const entry = decodeEntry(bytes);
    return entry?.key === text && areUnchanged(entry.inputs) ? entry : null;
  } catch {
    // Something it observed cannot be read any more: the run itself will say what.
    return null;
  }
}

/** The output of that entry. */
export function findResult(key: ResultKey): readonly OutputPiece[] | null {
  return findEntry(key)?.output ?? null;
}

/** A run that succeeded. */
export interface FinishedRun {
  readonly recorder: InputRecorder;
  readonly output: readonly OutputPiece[];
}

/**
 * Stores the result of a run, unless it depends on more than files, or one of those may have changed meanwhile. Returns
 * true if it was stored.
 */
export function storeResult({ text, path }: ResultKey, run: FinishedRun): boolean {
  const inputs = run.recorder.rejection === null ? storedInputs(run.recorder) : null;
  if (inputs === null) return false;
  writeCacheFile(path, encodeEntry({ key: text, inputs, output: run.output }));
  trimCache(dirname(dirname(path)));
  return true;
}

function storedInputs(recorder: InputRecorder): StoredInputs | null {
  // Another Node took the place of this one: it may be another release, or for another machine.
  recorder.wholeFiles.add(process.execPath);
  const fingerprints = Array.from(
    recorder.wholeFiles,
    (path) => recorder.fingerprints.get(path) ?? takeFingerprint(path),
  );
  if (!fingerprints.every((each) => each !== null && recorder.isSettled(each))) return null;
  return {
    contents: [...recorder.contents],
    listings: [...recorder.listings],
    kinds: [...recorder.kinds],
    presences: [...recorder.presences],
    realPaths: [...recorder.realPaths],
    fingerprints: fingerprints.filter((each) => each !== null),
  };
}

/** True if two runs printed the same, whatever the pieces. */
export function isSameOutput(one: readonly OutputPiece[], other: readonly OutputPiece[]): boolean {
  const bytesOf = (pieces: readonly OutputPiece[], fd: 1 | 2): Buffer =>
    Buffer.concat(pieces.flatMap((piece) => (piece.fd === fd ? [piece.bytes] : [])));
  return ([1, 2] as const).every((fd) => bytesOf(one, fd).equals(bytesOf(other, fd)));
}

/** The error of `TSREG_CACHE=verify` where a cached result is wrong. */
export function differentResult({ path }: ResultKey): TsregError {
  return new TsregError('the cached result differs from that of a run without the cache', {
    code: 'bug',
    hint: `remove \`${path}\``,
  });
}
