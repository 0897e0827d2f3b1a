/** Sources as records, and back. */
import type { GitReference, SourceId, SourceKind } from '../package-id/source-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import { DamagedRecordError } from './damaged-record-error.ts';
import type { RecordReader, RecordWriter } from './record.ts';

const SOURCE_KINDS: readonly SourceKind[] = [
  'path',
  'registry',
  'sparse-registry',
  'local-registry',
  'directory',
  'git',
];
const REFERENCE_KINDS: readonly GitReference['kind'][] = ['default', 'tag', 'branch', 'rev'];

/** Writes sources, each once, at its first use. */
export class SourceWriter {
  readonly #out: RecordWriter;
  readonly #sources = new Map<string, number>();

  constructor(out: RecordWriter) {
    this.#out = out;
  }

  write(source: SourceId): void {
    const known = this.#sources.get(source.key);
    if (known !== undefined) {
      this.#out.int(known);
      return;
    }
    this.#out.int(this.#sources.size);
    this.#sources.set(source.key, this.#sources.size);
    this.#out.int(SOURCE_KINDS.indexOf(source.kind));
    this.#out.string(source.url);
    const reference = source.reference ?? { kind: 'default' };
    this.#out.int(REFERENCE_KINDS.indexOf(reference.kind));
    this.#out.string(reference.kind === 'default' ? null : reference.name);
    this.#out.string(source.precise);
    this.#out.string(source.registryName);
  }
}

/** Reads what a `SourceWriter` wrote. */
export class SourceReader {
  readonly #in: RecordReader;
  readonly #table: SourceTable;
  readonly #sources: SourceId[] = [];

  /** Sources are interned into `table`. */
  constructor(input: RecordReader, table: SourceTable) {
    this.#in = input;
    this.#table = table;
  }

  read(): SourceId {
    const index = this.#in.int();
    const known = this.#sources[index];
    if (known !== undefined) return known;
    if (index !== this.#sources.length) throw new DamagedRecordError('source index');
    const kind = SOURCE_KINDS[this.#in.int()];
    const url = this.#in.string();
    const referenceKind = REFERENCE_KINDS[this.#in.int()];
    const referenceName = this.#in.optionalString();
    const precise = this.#in.optionalString();
    const registryName = this.#in.optionalString();
    if (kind === undefined || referenceKind === undefined) throw new DamagedRecordError('source');
    let reference: GitReference | null = null;
    if (kind === 'git') {
      if (referenceKind === 'default') reference = { kind: 'default' };
      else if (referenceName === null) throw new DamagedRecordError('reference');
      else reference = { kind: referenceKind, name: referenceName };
    }
    const source = this.#table.intern({
      kind,
      url,
      reference,
      precise,
      registryName: registryName ?? undefined,
    });
    // A manifest spells its URL in another way now, and what was recorded of its packages has the old one in it.
    if (source.url !== url) throw new DamagedRecordError('spelling');
    this.#sources.push(source);
    return source;
  }
}
