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

/** What is known of the name of a registry: that nobody decided on it, that it goes by its URL, or that it has one. */
const [OPEN, UNNAMED, NAMED] = [0, 1, 2];

/** Writes sources, each once, at its first use. */
export class SourceWriter {
  readonly #out: RecordWriter;
  readonly #keepsNames: boolean;
  readonly #sources = new Map<string, number>();

  /**
   * `keepsNames` is for records of manifests, which decide on names: with them goes what they decided. All others leave it
   * to the manifests that there are when the record is read.
   */
  constructor(out: RecordWriter, { keepsNames }: { readonly keepsNames: boolean }) {
    this.#out = out;
    this.#keepsNames = keepsNames;
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
    const { registryName, namedIn } = source;
    const isKept = this.#keepsNames && namedIn === 'manifests';
    this.#out.int(isKept ? (registryName === null ? UNNAMED : NAMED) : OPEN);
    this.#out.string(isKept ? registryName : null);
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
    const naming = this.#in.int();
    const name = this.#in.optionalString();
    const registryName = naming === OPEN ? undefined : name;
    if (kind === undefined || referenceKind === undefined) throw new DamagedRecordError('source');
    let reference: GitReference | null = null;
    if (kind === 'git') {
      if (referenceKind === 'default') reference = { kind: 'default' };
      else if (referenceName === null) throw new DamagedRecordError('reference');
      else reference = { kind: referenceKind, name: referenceName };
    }
    const source = this.#table.intern({ kind, url, reference, precise, registryName });
    // A manifest spells its URL in another way now, and what was recorded of its packages has the old one in it.
    if (source.url !== url) throw new DamagedRecordError('spelling');
    this.#sources.push(source);
    return source;
  }
}
