/** Packing of documentation on a thread, in a form that threads can exchange. */
import { TsregError } from '../../core/errors/error.ts';
import { packDocumentation, type PackedDocumentation } from './pack-documentation.ts';

/** A task for a thread: an uploaded archive, and the name of its crate. */
export interface DocumentationTask {
  readonly kind: 'documentation';
  readonly archive: Uint8Array<ArrayBuffer>;
  readonly crate: string;
}

/** The result of a task. `problem`: the archive is refused; `code` is `archive` or `limit`. */
export type DocumentationResult =
  | { readonly kind: 'packed'; readonly packed: PackedDocumentation }
  | { readonly kind: 'problem'; readonly code: TsregError['code']; readonly message: string };

/** Does a task. */
export function runDocumentationTask({ archive, crate }: DocumentationTask): DocumentationResult {
  try {
    return { kind: 'packed', packed: packDocumentation(archive, crate) };
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
    return { kind: 'problem', code: error.code, message: error.message };
  }
}

/** Returns true for a result of `runDocumentationTask`. */
export function isDocumentationResult(value: unknown): value is DocumentationResult {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    (value.kind === 'packed' || value.kind === 'problem')
  );
}

/** Returns the memory of a result that can be moved to another thread. */
export function buffersOfResult(result: DocumentationResult): readonly ArrayBuffer[] {
  return result.kind === 'packed' ? result.packed.parts.map(({ buffer }) => buffer) : [];
}
