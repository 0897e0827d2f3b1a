/** The work on archives that a thread does, in a form that threads can exchange. */
import { TsregError } from '../../core/errors/error.ts';
import { compareSources, type Comparison } from './compare-sources.ts';
import { listFiles, readFile, type SourceArchive, type SourceFile } from './crate-files.ts';
import { readPackageFacts, type PackageFacts } from './package-facts.ts';
import { readPackageSummary, type PackageSummary } from './package-summary.ts';
import { readStatedLicense } from './stated-license.ts';
import type { StatedLicense } from '../store/mirror-status.ts';

/** A task for a thread. */
export type SourceTask =
  | { readonly kind: 'list'; readonly archive: SourceArchive }
  | { readonly kind: 'read'; readonly archive: SourceArchive; readonly path: string }
  | { readonly kind: 'compare'; readonly old: SourceArchive; readonly new: SourceArchive }
  | { readonly kind: 'facts'; readonly archive: SourceArchive }
  | { readonly kind: 'summary'; readonly archive: SourceArchive }
  | { readonly kind: 'license'; readonly archive: SourceArchive };

/** The result of a task. `problem`: an archive cannot be read; `code` is `archive` or `limit`. */
export type SourceResult =
  | { readonly kind: 'list'; readonly files: readonly SourceFile[] }
  | { readonly kind: 'read'; readonly content: Uint8Array<ArrayBuffer> | null }
  | { readonly kind: 'compare'; readonly comparison: Comparison }
  | { readonly kind: 'facts'; readonly facts: PackageFacts }
  | { readonly kind: 'summary'; readonly summary: PackageSummary }
  | { readonly kind: 'license'; readonly license: StatedLicense }
  | { readonly kind: 'problem'; readonly code: TsregError['code']; readonly message: string };

/** Does a task. */
export function runSourceTask(task: SourceTask): SourceResult {
  try {
    switch (task.kind) {
      case 'list':
        return { kind: 'list', files: listFiles(task.archive) };
      case 'read':
        return { kind: 'read', content: readFile(task.archive, task.path) };
      case 'compare':
        return { kind: 'compare', comparison: compareSources(task.old, task.new) };
      case 'facts':
        return { kind: 'facts', facts: readPackageFacts(task.archive) };
      case 'summary':
        return { kind: 'summary', summary: readPackageSummary(task.archive) };
      case 'license':
        return { kind: 'license', license: readStatedLicense(task.archive) };
    }
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
    return { kind: 'problem', code: error.code, message: error.message };
  }
}

/** Returns true for a result of `runSourceTask`. */
export function isSourceResult(value: unknown): value is SourceResult {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** Returns the memory that can be moved to the thread, since nothing else needs it. */
export function buffersOf(task: SourceTask): readonly ArrayBuffer[] {
  const archives = task.kind === 'compare' ? [task.old, task.new] : [task.archive];
  return archives.map(({ bytes }) => bytes.buffer);
}
