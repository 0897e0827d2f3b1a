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
  out.list(registries, ([name, source]) => {
    out.string(name);
    sources.write(source);
  });
}

/** Reads what `writeRegistries` wrote: true if every name still stands for the same registry. */
export function registriesHold(
  input: RecordReader,
  ids: SourceReader,
  { sources, registry }: { readonly sources: SourceTable; readonly registry: FindRegistry },
): boolean {
  const named = input.list(() => ({ name: input.string(), source: ids.read() }));
  return named.every(({ name, source }) => {
    try {
      return registry(name, sources) === source;
    } catch {
      return false;
    }
  });
}
