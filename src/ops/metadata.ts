/** `metadata`: a workspace and its resolved dependencies as one JSON document. Cargo Book: cargo-metadata(1). */
import { DerivedStore } from '../derived/store.ts';
import { NodeFiles } from '../disk/node-files.ts';
import { TsregError } from '../errors/error.ts';
import { type OperationContext, reportTo } from '../report/report.ts';
import { chooseManifest } from './choose-manifest.ts';
import { type MetadataOptions, type MetadataRun, startRun } from './metadata-run.ts';
import { recallMetadata } from './recall-metadata.ts';

/** What comes out. */
export interface MetadataResult {
  /** The document as one line of UTF-8, without its line break, in parts. */
  readonly document: readonly Uint8Array[];
  /** Leaves on disk what lets the next run answer sooner. To be called when the document is delivered. */
  readonly remember: () => void;
}

/** Loads the workspace, resolves its dependencies, brings `Cargo.lock` up to date and describes all of it. */
export async function metadata(options: MetadataOptions, context: OperationContext): Promise<MetadataResult> {
  const { config } = options;
  const files = new NodeFiles();
  const manifestPath = chooseManifest(options.manifestPath, config, files);
  const run = startRun(options, { context, files, manifestPath });
  const mode = config.env.TSREG_CACHE;
  const store = mode === 'off' ? null : new DerivedStore(config.home);
  if (store !== null && mode !== 'verify') {
    const document = await recallMetadata(run, store);
    if (document !== null) return { document, remember: () => {} };
  }
  // What this takes is most of the program, and the common run does without it.
  const { loadMetadata, rememberMetadata } = await import('./load-metadata.ts');
  const loaded = await loadMetadata(run);
  const remember = (): void => {
    if (store !== null) rememberMetadata(loaded, store);
  };
  if (store === null || mode !== 'verify') return { document: loaded.document, remember };
  remember();
  await verify(loaded.document, run, store);
  return { document: loaded.document, remember: () => {} };
}

/** Answers again from what a run left; fails if that is another document. */
async function verify(document: readonly Uint8Array[], run: MetadataRun, store: DerivedStore): Promise<void> {
  const quiet = { ...run, context: { ...run.context, report: reportTo({}) }, files: new NodeFiles() };
  const recalled = await recallMetadata(quiet, store);
  if (recalled === null || Buffer.concat([...recalled]).equals(Buffer.concat([...document]))) return;
  throw new TsregError('the answer from derived files differs from the one without them', { code: 'bug' });
}
