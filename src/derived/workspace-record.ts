/** A workspace as it was loaded, with everything that its loading read. */
import type { AnnotatedWarning, Warning, WarningRemark } from '../errors/warning.ts';
import type { Files } from '../files/files.ts';
import { replayTrace } from '../disk/tracing-files.ts';
import type { SourceId } from '../package-id/source-id.ts';
import { SourceTable } from '../package-id/source-table.ts';
import { decodeContainer, encodeContainer } from './container.ts';
import type { PackageView, WorkspaceView } from './package-view.ts';
import { DamagedRecordError, RecordReader, RecordWriter } from './record.ts';
import { SummaryReader, SummaryWriter } from './summary-record.ts';
import { TextReader, TextWriter } from './text-block.ts';

/** What a workspace was loaded from. */
export interface WorkspaceOrigin {
  /** Every question that was asked of the file system, with its answer: `TracingFiles.record()`. */
  readonly trace: Uint8Array;
  /** Registries that manifests named, as configuration resolved them. */
  readonly registries: ReadonlyMap<string, SourceId>;
}

/** What a record is held against. */
export interface WorkspaceCheck {
  readonly files: Files;
  /** The registry that configuration gives a name; may throw. */
  registry(name: string, sources: SourceTable): SourceId;
}

/** The record of a workspace. `pathPackages` are those that are no members. */
export function encodeWorkspace(
  view: WorkspaceView,
  pathPackages: readonly PackageView[],
  origin: WorkspaceOrigin,
): Uint8Array {
  const out = new RecordWriter();
  const summaries = new SummaryWriter(out);
  const texts = new TextWriter(out);
  const writePackage = (each: PackageView): void => {
    summaries.summary(each.summary);
    out.string(each.libraryName);
    texts.write(each);
  };
  out.list(origin.registries, ([name, source]) => {
    out.string(name);
    summaries.source(source);
  });
  out.string(view.root);
  out.list(view.members, writePackage);
  out.list(view.defaultMembers, (index) => out.int(index));
  out.int(view.current ?? -1);
  out.int(Number(view.resolver));
  out.list(view.warnings, (warning) => writeWarning(warning, out));
  out.string(view.metadataText);
  out.list(pathPackages, writePackage);
  const { ints, strings } = out.finish();
  return encodeContainer(
    new Map([
      ['trace', origin.trace],
      ['ints', ints],
      ['strings', strings],
      ['texts', texts.finish()],
    ]),
  );
}

/** The workspace of a record; null if the record is not whole, or anything that was read has changed. */
export function decodeWorkspace(file: Uint8Array, check: WorkspaceCheck): WorkspaceView | null {
  const blocks = decodeContainer(file);
  const [trace, ints, strings, textBytes] = ['trace', 'ints', 'strings', 'texts'].map((name) =>
    blocks?.get(name),
  );
  if (trace === undefined || ints === undefined || strings === undefined || textBytes === undefined)
    return null;
  if (!replayTrace(trace, check.files)) return null;
  const input = new RecordReader(ints, strings);
  const sources = new SourceTable();
  const summaries = new SummaryReader(input, sources);
  const texts = new TextReader(input, textBytes);
  const readPackage = (): PackageView => {
    const summary = summaries.summary();
    return { summary, libraryName: input.optionalString(), ...texts.read() };
  };
  const registries = input.list(() => ({ name: input.string(), source: summaries.source() }));
  if (!registries.every(({ name, source }) => isSameRegistry(name, source, sources, check))) return null;
  const root = input.string();
  const members = input.list(readPackage);
  const defaultMembers = input.list(() => input.int());
  const current = input.int();
  const resolver = resolverVersion(input.int());
  const warnings = input.list(() => readWarning(input));
  const metadataText = input.string();
  const pathPackages = input.list(readPackage);
  const byPath = new Map<SourceId, PackageView>();
  for (const each of [...pathPackages, ...members]) byPath.set(each.summary.id.source, each);
  return {
    root,
    members,
    defaultMembers,
    current: current === -1 ? null : current,
    resolver,
    warnings,
    metadataText,
    sources,
    pathPackage: (source) => byPath.get(source) ?? null,
  };
}

function writeWarning(warning: Warning, out: RecordWriter): void {
  const { title, isBold, remarks, help }: AnnotatedWarning =
    typeof warning === 'string' ? { title: warning } : warning;
  out.string(title);
  out.int(isBold === true ? 1 : 0);
  out.list(remarks ?? [], ({ label, text }) => {
    out.int(label === 'note' ? 1 : 0);
    out.string(text);
  });
  out.string(help ?? null);
}

function readWarning(input: RecordReader): Warning {
  const title = input.string();
  const isBold = input.int() === 1;
  const remarks = input.list(
    (): WarningRemark => ({ label: input.int() === 1 ? 'note' : 'help', text: input.string() }),
  );
  const help = input.optionalString();
  return { title, isBold, remarks, ...(help === null ? {} : { help }) };
}

function isSameRegistry(
  name: string,
  source: SourceId,
  sources: SourceTable,
  check: WorkspaceCheck,
): boolean {
  try {
    return check.registry(name, sources) === source;
  } catch {
    return false;
  }
}

function resolverVersion(number: number): WorkspaceView['resolver'] {
  switch (number) {
    case 1:
      return '1';
    case 2:
      return '2';
    case 3:
      return '3';
    default:
      throw new DamagedRecordError('resolver');
  }
}
