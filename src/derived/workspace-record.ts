/** A workspace as it was loaded, with everything that its loading read: as far as the document prints it. */
import { replayTrace } from '../disk/tracing-files.ts';
import type { Files } from '../files/files.ts';
import { SourceTable } from '../package-id/source-table.ts';
import { Container } from './container.ts';
import { type FindRegistry, registriesHold } from './named-registries.ts';
import type { PrintedPackage, PrintedWorkspace } from './package-view.ts';
import { readPrinted, readWarning } from './printed-record.ts';
import { RecordReader } from './record.ts';
import { SourceReader } from './source-record.ts';
import { TextReader } from './text-block.ts';

/** What a record is held against. */
export interface WorkspaceCheck {
  /** Absolute path of the manifest that the workspace was loaded for. */
  readonly manifestPath: string;
  readonly files: Files;
  readonly registry: FindRegistry;
}

/** A workspace of which nothing has changed. */
export interface RecalledWorkspace extends PrintedWorkspace {
  /** Of path packages that are no members. */
  readonly pathPackages: readonly PrintedPackage[];
  readonly sources: SourceTable;
  /** Equal for records that say the same. */
  readonly identity: string;
  /** Equal for records of which resolving learns the same. */
  readonly graphIdentity: string;
  /** The file, for `recallSummaries`. */
  readonly container: Container;
}

/**
 * Reads a record, without its summaries. null if it is not whole, or if anything that was read has changed. Throws
 * `DamagedRecordError` if it is damaged.
 */
export function recallWorkspace(file: Uint8Array, check: WorkspaceCheck): RecalledWorkspace | null {
  const container = Container.open(file);
  if (container === null) return null;
  const input = new RecordReader(container, 'outline');
  if (input.string() !== check.manifestPath || !replayTrace(container.block('trace'), check.files))
    return null;
  const sources = new SourceTable();
  const ids = new SourceReader(input, sources);
  if (!registriesHold(input, ids, { sources, registry: check.registry })) return null;
  const texts = new TextReader(input, container.block('texts'));
  const readPackage = (): PrintedPackage => readPrinted(input, texts);
  return {
    root: input.string(),
    graphIdentity: input.string(),
    members: input.list(readPackage),
    defaultMembers: input.list(() => input.int()),
    warnings: input.list(() => readWarning(input)),
    metadataText: input.string(),
    pathPackages: input.list(readPackage),
    sources,
    identity: container.identity,
    container,
  };
}
