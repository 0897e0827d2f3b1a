/** `metadata`: a workspace and its resolved dependencies as one JSON document. Cargo Book: cargo-metadata(1). */
import { DerivedStore, type RecordStore } from '../derived/store.ts';
import { NodeFiles } from '../disk/node-files.ts';
import { TsregError } from '../errors/error.ts';
import { bytesOfParts } from '../metadata/document-text.ts';
import { reportTo } from '../report/report.ts';
import { KeptDependencies } from './graph/kept-dependencies.ts';
import { PackagesOnDisk } from './graph/packages-on-disk.ts';
import { startReadAhead } from './graph/start-read-ahead.ts';
import { chooseManifest } from './workspace/choose-manifest.ts';
import type { LoadedMetadata } from './metadata/load-metadata.ts';
import type { MetadataOptions, MetadataResult, MetadataRun } from './metadata/metadata-run.ts';
import { recallMetadata } from './metadata/recall-metadata.ts';
import { BUILD } from './version.ts';
import { startRun, type WorkspaceContext } from './workspace/workspace-run.ts';

/** What calls of `metadata` that follow one another may share. */
export function sharedDisk(): PackagesOnDisk {
  return new PackagesOnDisk({ isShared: true });
}

/**
 * Loads the workspace, resolves its dependencies, brings `Cargo.lock` up to date and describes all of it.
 * Calls that follow one another may share `onDisk`: they are about one moment of the disk, as long as none of them
 * fetches anything.
 */
export async function metadata(
  options: MetadataOptions,
  context: WorkspaceContext & { readonly onDisk?: PackagesOnDisk },
): Promise<MetadataResult> {
  const { config } = options;
  const files = new NodeFiles();
  const { onDisk = new PackagesOnDisk() } = context;
  const manifestPath = chooseManifest(options.manifestPath, config, files);
  const run = startRun(options, { context, files, manifestPath, onDisk });
  const mode = config.env.TSREG_CACHE;
  const store = mode === 'off' ? null : new DerivedStore(config.home, BUILD);
  if (store !== null && mode !== 'verify') {
    const recalled = await recallMetadata(run, store);
    if (recalled !== null) return recalled;
  }
  const known = mode === 'verify' ? null : store;
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
  const { loadMetadata, rememberMetadata } = await import('./metadata/load-metadata.ts');
  const remember = (): void => {
    if (store !== null) rememberMetadata(loaded, store);
  };
  if (store === null || mode !== 'verify') return { document: loaded.document, remember };
  remember();
  // A lock file that was just made can lead to another document than it does in the next run.
  const again = async (): Promise<LoadedMetadata> => {
    const { openRun } = await import('./graph/open-run.ts');
    const silent = quiet(run);
    return loadMetadata(silent, openRun(silent), { kept: null, ahead: null, isKept: false });
  };
  await verify(async () => (loaded.isForced ? loaded : again()), run, store);
  return { document: loaded.document, remember: () => {} };
}

/**
 * Answers again in every way: from what a run left, from what that answer leaves, and as if manifests had been edited;
 * fails if any is another document.
 */
async function verify(
  load: () => Promise<LoadedMetadata>,
  run: MetadataRun,
  store: RecordStore,
): Promise<void> {
  const { openRun } = await import('./graph/open-run.ts');
  const { rereadMetadata } = await import('./metadata/reread-metadata.ts');
  const withoutAnswers: RecordStore = {
    read: (kind, key) => (kind === 'answer' ? null : store.read(kind, key)),
    has: (kind, key) => kind !== 'answer' && store.has(kind, key),
    write: (kind, key, bytes) => store.write(kind, key, bytes),
  };
  const reread = async (from: RecordStore): Promise<MetadataResult | null> => {
    const silent = quiet(run);
    const opened = openRun(silent);
    const kept = new KeptDependencies(from, opened.view, run.options.config);
    return rereadMetadata(silent, opened, { store: from, kept });
  };
  const recall = async (): Promise<MetadataResult | null> => recallMetadata(quiet(run), store);
  const allEdited = async (): Promise<MetadataResult | null> =>
    recallMetadata(quiet(run), store, { rereadsMembers: true });
  for (const answer of [
    recall,
    allEdited,
    () => reread(withoutAnswers),
    () => reread(store),
    allEdited,
    recall,
  ]) {
    const recalled = await answer();
    if (recalled === null) continue;
    const { document } = await load();
    if (!bytesOfParts(recalled.document).equals(bytesOfParts(document))) {
      throw new TsregError(
        'the answer from derived files differs from the one without them: `TSREG_CACHE=off` goes on without',
        {
          code: 'bug',
        },
      );
    }
    recalled.remember();
  }
}

/** The same run once more, with nothing said. */
function quiet(run: MetadataRun): MetadataRun {
  return {
    ...run,
    context: { ...run.context, report: reportTo({}) },
    files: new NodeFiles(),
    onDisk: new PackagesOnDisk(),
  };
}
