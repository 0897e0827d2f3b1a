/** `metadata`: a workspace and its resolved dependencies as one JSON document. Cargo Book: cargo-metadata(1). */
import { LazyRecords } from '../derived/lazy-records.ts';
import { DerivedStore } from '../derived/store.ts';
import { NodeFiles } from '../disk/node-files.ts';
import { KeptDependencies } from './graph/kept-dependencies.ts';
import { PackagesOnDisk } from './graph/packages-on-disk.ts';
import { startReadAhead } from './graph/start-read-ahead.ts';
import { chooseManifest } from './workspace/choose-manifest.ts';
import type { LoadedMetadata } from './metadata/load-metadata.ts';
import type { MetadataOptions, MetadataResult } from './metadata/metadata-run.ts';
import { recallMetadata } from './metadata/recall-metadata.ts';
import { cacheOwner } from './version.ts';
import { startRun, type WorkspaceContext } from './workspace/workspace-run.ts';

/** What calls of `metadata` that follow one another share. */
export interface SharedByCalls {
  /** They are about one moment of the disk, as long as none of them fetches anything. */
  readonly onDisk: PackagesOnDisk;
  readonly records: LazyRecords;
}

/** For so many calls of `metadata` that follow one another, in a process that ends after them. */
export function sharedByCalls(count: number): SharedByCalls {
  return { onDisk: new PackagesOnDisk({ isShared: count > 1 }), records: new LazyRecords() };
}

/**
 * Loads the workspace, resolves its dependencies, brings `Cargo.lock` up to date and describes all of it. With `shared`,
 * what was returned to an earlier call is not to be used any more.
 */
export async function metadata(
  options: MetadataOptions,
  context: WorkspaceContext & { readonly shared?: SharedByCalls },
): Promise<MetadataResult> {
  const { config } = options;
  const files = new NodeFiles();
  const { shared } = context;
  const onDisk = shared?.onDisk ?? new PackagesOnDisk();
  shared?.records.closeAll();
  const manifestPath = chooseManifest(options.manifestPath, config, files);
  const run = startRun(options, { context, files, manifestPath, onDisk });
  const mode = config.env.TSREG_CACHE;
  const records = mode === 'verify' ? undefined : shared?.records;
  const store = mode === 'off' ? null : new DerivedStore(config.home, cacheOwner(config), records);
  if (store !== null && mode !== 'verify') {
    const recalled = await recallMetadata(run, store);
    // Records stay open where it did not come to that: `files` answers with what was read of them and is on disk as well.
    if (recalled !== null) return recalled;
  }
  let earlier: readonly MetadataResult[] | null = null;
  if (store !== null && mode === 'verify') {
    const { recallEarlier } = await import('./metadata/verify-metadata.ts');
    earlier = await recallEarlier(run, store);
  }
  const known = earlier === null ? store : null;
  const ahead = options.noDeps ? null : await startReadAhead(run, known);
  let loaded: LoadedMetadata;
  try {
    // What this takes is much of the program, and the common run does without it.
    const { openRun } = await import('./graph/open-run.ts');
    const opened = openRun(run);
    const kept = known === null ? null : new KeptDependencies(known, opened.view, config);
    // Without dependencies nothing else is needed; with them, what an earlier run left of them.
    if (known !== null && kept !== null && (options.noDeps || known.has('dependencies', opened.view.root))) {
      const { rereadMetadata } = await import('./metadata/reread-metadata.ts');
      const reread = await rereadMetadata(run, opened, { store: known, kept });
      if (reread !== null) return reread;
    }
    // And this takes all the rest.
    run.beforeLongWork();
    onDisk.forget();
    const { loadMetadata } = await import('./metadata/load-metadata.ts');
    loaded = await loadMetadata(run, opened, { kept, ahead, isKept: store !== null });
  } finally {
    ahead?.close();
  }
  const { rememberMetadata } = await import('./metadata/load-metadata.ts');
  if (store === null || earlier === null) {
    const remember = (): void => {
      if (store !== null) rememberMetadata(loaded, store);
    };
    return { document: loaded.document, remember };
  }
  const { verifyMetadata } = await import('./metadata/verify-metadata.ts');
  await verifyMetadata(loaded, earlier, { run, store });
  return { document: loaded.document, remember: () => {} };
}
