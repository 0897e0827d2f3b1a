/** The registries that manifests named, as configuration resolved them: what was read holds while it still does so. */
import type { SourceId } from '../package-id/source-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import type { RecordReader, RecordWriter } from './record.ts';
import type { SourceReader, SourceWriter } from './source-record.ts';

/** The registry that configuration gives a name; may throw. */
export type FindRegistry = (name: string, sources: SourceTable) => SourceId;

/** Writes registries by their names. */
export function writeRegistries(
  registries: ReadonlyMap<string, SourceId>,
  out: RecordWriter,
  sources: SourceWriter,
): void {
  out.map(registries, (name, source) => {
    out.string(name);
    sources.write(source);
  });
}

/** Reads what `writeRegistries` wrote; null unless every name still stands for the same registry. */
export function readRegistries(
  input: RecordReader,
  ids: SourceReader,
  { sources, registry }: { readonly sources: SourceTable; readonly registry: FindRegistry },
): ReadonlyMap<string, SourceId> | null {
  const named = new Map(input.list(() => [input.string(), ids.read()] as const));
  for (const [name, source] of named) {
    try {
      if (registry(name, sources) !== source) return null;
    } catch {
      return null;
    }
  }
  return named;
}
