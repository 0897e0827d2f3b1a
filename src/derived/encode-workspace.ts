/** Writes what `recallWorkspace` and `recallSummaries` read. */
import type { SourceId } from '../package-id/source-id.ts';
import { encodeContainer } from './container.ts';
import { writeRegistries } from './named-registries.ts';
import type { PackageView, WholeView } from './package-view.ts';
import { writePrinted, writeWarning } from './printed-record.ts';
import { RecordWriter } from './record.ts';
import { SourceWriter } from './source-record.ts';
import { TextWriter } from './text-block.ts';
import type { EncodedSummaries } from './workspace-summaries.ts';

/** A workspace, and what it was loaded from. */
export interface WorkspaceOrigin {
  /** Absolute path of the manifest that it was loaded for. */
  readonly manifestPath: string;
  /** Every question that was asked of the file system, with its answer: `TracingFiles.record()`. */
  readonly trace: Uint8Array;
  /** Registries that manifests named, as configuration resolved them. */
  readonly registries: ReadonlyMap<string, SourceId>;
  /** Of the view: `encodeSummaries`. */
  readonly summaries: EncodedSummaries;
}

/** The record of a workspace. */
export function encodeWorkspace(view: WholeView, origin: WorkspaceOrigin): Uint8Array {
  const { manifestPath, trace, registries, summaries } = origin;
  const outline = new RecordWriter();
  const sources = new SourceWriter(outline);
  const texts = new TextWriter(outline);
  const writePackage = (each: PackageView): void => writePrinted(each, outline, texts);
  outline.string(manifestPath);
  writeRegistries(registries, outline, sources);
  outline.string(view.root);
  outline.string(summaries.identity);
  outline.list(view.members, writePackage);
  outline.list(view.defaultMembers, (index) => outline.int(index));
  outline.list(view.warnings, (warning) => writeWarning(warning, outline));
  outline.string(view.metadataText);
  outline.list(view.pathPackages, writePackage);
  return encodeContainer(
    new Map([['trace', trace], ...outline.blocks('outline'), ['texts', texts.finish()], ...summaries.blocks]),
  );
}
