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

/**
 * Reads what `writeRegistries` wrote; null unless every name still stands for the same registry. Throws
 * `DamagedRecordError` where one is spelled in another way than it was.
 */
export function readRegistries(
  input: RecordReader,
  ids: SourceReader,
  { sources, registry }: { readonly sources: SourceTable; readonly registry: FindRegistry },
): ReadonlyMap<string, SourceId> | null {
  const named = new Map<string, SourceId>();
  let isSame = true;
  for (let count = input.int(); count > 0; count -= 1) {
    const name = input.string();
    // Before what was recorded: of several spellings of one URL the first that is met holds for all.
    const found = findOrNull(() => registry(name, sources));
    const source = ids.read();
    isSame &&= found === source;
    named.set(name, source);
  }
  return isSame ? named : null;
}

function findOrNull(find: () => SourceId): SourceId | null {
  try {
    return find();
  } catch {
    return null;
  }
}
