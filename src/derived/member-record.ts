/** What is kept of a member so that it can be read again without the others. */
import type { SourceId } from '../package-id/source-id.ts';
import { formatFeatureValue } from '../summary/feature-value.ts';
import type { Dependency } from '../summary/summary.ts';
import type { BlockParts, Container } from './container.ts';
import type { PackageView } from './package-view.ts';
import type { RecordReader, RecordWriter } from './record.ts';
import { TextReader, TextWriter } from './text-block.ts';

/** Names of blocks. */
const TRACES = 'member-traces';
const MEANINGS = 'member-meanings';

/** How a member was read. */
export interface MemberOrigin {
  /** Absolute path of its manifest. */
  readonly manifestPath: string;
  /** What was asked because of it alone, with the answers: `TracingFiles.record()`. */
  readonly trace: Uint8Array;
  /** null where what it says beside its package has a say in how the workspace is read. */
  readonly meaning: MemberMeaning | null;
}

/** What the rest of a workspace learns of a member, as texts to be compared. */
export interface MemberMeaning {
  /** Whatever the reading of other members depends on. */
  readonly ties: string | Uint8Array;
  /** Whatever else resolving asks. */
  readonly rest: string | Uint8Array;
}

/** What a member that was just read means. */
export function meaningOf({ summary, libraryName }: PackageView): MemberMeaning {
  const { id, dependencies, features, links, rustVersion } = summary;
  const paths: string[] = [];
  const others = new Set<string>();
  for (const { source, registry } of dependencies) {
    if (source.kind === 'path') paths.push(source.url);
    for (const each of [source, registry])
      if (each !== null && each.kind !== 'path')
        others.add(JSON.stringify([spelled(each), each.registryName]));
  }
  return {
    // Members are found along paths. Of several spellings and names of one URL the first that is met holds for all.
    ties: JSON.stringify([id.name, id.version.text, paths, Array.from(others).sort()]),
    rest: JSON.stringify([
      links,
      rustVersion,
      libraryName,
      dependencies.map(dependencyParts),
      Array.from(features, ([name, values]) => [name, values.map(formatFeatureValue)]),
    ]),
  };
}

/** Writes how members were read: the blocks beside what is written into `out`. */
export function writeMembers(
  members: readonly MemberOrigin[],
  out: RecordWriter,
): readonly (readonly [string, BlockParts])[] {
  const traces = new TextWriter(out);
  const meanings = new TextWriter(out);
  out.list(members, ({ manifestPath, trace, meaning }) => {
    out.string(manifestPath);
    traces.write(trace);
    out.int(meaning === null ? 0 : 1);
    if (meaning === null) return;
    meanings.write(meaning.ties);
    meanings.write(meaning.rest);
  });
  return [
    [TRACES, traces.finish()],
    [MEANINGS, meanings.finish()],
  ];
}

/** Reads what `writeMembers` wrote. Throws `DamagedRecordError` if it is damaged. */
export function readMembers(input: RecordReader, container: Container): readonly MemberOrigin[] {
  const traces = new TextReader(input, container.block(TRACES));
  const meanings = new TextReader(input, container.block(MEANINGS));
  return input.list(() => {
    const manifestPath = input.string();
    const trace = traces.read();
    const meaning = input.int() === 1 ? { ties: meanings.read(), rest: meanings.read() } : null;
    return { manifestPath, trace, meaning };
  });
}

/** True if both are the same text. */
export function isSameText(one: string | Uint8Array, other: string | Uint8Array): boolean {
  return Buffer.compare(bytesOf(one), bytesOf(other)) === 0;
}

function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? Buffer.from(text) : text;
}

function dependencyParts(dependency: Dependency): readonly unknown[] {
  const { name, nameInToml, renamed, source, registry, req, kind, optional } = dependency;
  const { defaultFeatures, features, platform } = dependency;
  return [
    ...[name, nameInToml, renamed, spelled(source), registry === null ? null : spelled(registry)],
    ...[req.text, req.acceptsAny, kind, optional, defaultFeatures, features, platform?.text ?? null],
  ];
}

/** A source with its URL as it was written. */
function spelled({ kind, url, reference, precise }: SourceId): string {
  return JSON.stringify([kind, url, reference, precise]);
}
