/** The packages of a lock file that come from registries and repositories, as they were resolved and read. */
import type { SourceId } from '../package-id/source-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import type { PackageId } from '../package-id/package-id.ts';
import type { Summary } from '../summary/summary.ts';
import { decodeContainer, encodeContainer } from './container.ts';
import { RecordReader, RecordWriter } from './record.ts';
import { type Stamp, readStamp, writeStamp } from './stamp.ts';
import { SummaryReader, SummaryWriter } from './summary-record.ts';
import { TextReader, TextWriter } from './text-block.ts';

/** What is kept of one package. */
export interface DependencyRecord {
  readonly summary: Summary;
  /** Where the package really comes from, if its source is replaced. */
  readonly actual: SourceId;
  /** The file of the index that the summary was read from; null where there is no index. */
  readonly index: Stamp | null;
  /** What was read of the package itself; null if that was not needed. */
  readonly content: DependencyContent | null;
}

/** What is kept of an unpacked package. */
export interface DependencyContent {
  /** The file that marks its folder as complete. */
  readonly marker: Stamp;
  readonly libraryName: string | null;
  /** JSON text before and behind its id. */
  readonly head: string | Uint8Array;
  readonly tail: string | Uint8Array;
}

/** A lock file that holds, and what it leads to. */
export interface LockedDependencies {
  /** The text of the lock file, which is what would be written for it again. */
  readonly lockText: string;
  /** True for the formats 1 and 2. */
  readonly mergesMasterBranch: boolean;
  /** Sorted by package id. */
  readonly packages: readonly PackageId[];
  /** Edges of `packages`, as indexes into it. */
  readonly edges: readonly (readonly number[])[];
  /** All packages that are not on a path of this machine. */
  readonly records: readonly DependencyRecord[];
}

/** The file of a workspace's dependencies. */
export function encodeDependencies(locked: LockedDependencies): Uint8Array {
  const out = new RecordWriter();
  const summaries = new SummaryWriter(out);
  const texts = new TextWriter(out);
  out.int(locked.mergesMasterBranch ? 1 : 0);
  out.list(locked.packages, (id) => summaries.packageId(id));
  out.list(locked.edges, (targets) => out.list(targets, (target) => out.int(target)));
  out.list(locked.records, ({ summary, actual, index, content }) => {
    summaries.summary(summary);
    summaries.source(actual);
    writeStamp(index, out);
    writeStamp(content?.marker ?? null, out);
    if (content === null) return;
    out.string(content.libraryName);
    texts.write(content);
  });
  const { ints, strings } = out.finish();
  return encodeContainer(
    new Map([
      ['lock', Buffer.from(locked.lockText)],
      ['ints', ints],
      ['strings', strings],
      ['texts', texts.finish()],
    ]),
  );
}

/** What the file says, if it is whole and belongs to this lock file; else null. */
export function decodeDependencies(
  file: Uint8Array,
  lockText: string,
  sources: SourceTable,
): LockedDependencies | null {
  const blocks = decodeContainer(file);
  const [lock, ints, strings, textBytes] = ['lock', 'ints', 'strings', 'texts'].map((name) =>
    blocks?.get(name),
  );
  if (lock === undefined || ints === undefined || strings === undefined || textBytes === undefined)
    return null;
  if (!Buffer.from(lockText).equals(lock)) return null;
  const input = new RecordReader(ints, strings);
  const summaries = new SummaryReader(input, sources);
  const texts = new TextReader(input, textBytes);
  const mergesMasterBranch = input.int() === 1;
  const packages = input.list(() => summaries.packageId());
  const edges = input.list(() => input.list(() => input.int()));
  const records = input.list((): DependencyRecord => {
    const summary = summaries.summary();
    const actual = summaries.source();
    const index = readStamp(input);
    const marker = readStamp(input);
    if (marker === null) return { summary, actual, index, content: null };
    const libraryName = input.optionalString();
    return { summary, actual, index, content: { marker, libraryName, ...texts.read() } };
  });
  return { lockText, mergesMasterBranch, packages, edges, records };
}
