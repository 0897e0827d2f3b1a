/** Answers with what is kept beside answers without, for `TSREG_CACHE=verify`. */
import type { RecordStore } from '../../derived/store.ts';
import { bytesOfText } from '../../metadata/document-text.ts';
import { KeptDependencies } from '../graph/kept-dependencies.ts';
import { unlessWrong } from '../graph/open-records.ts';
import { openRun } from '../graph/open-run.ts';
import { expectSameAnswer, quiet } from '../graph/same-answer.ts';
import { type LoadedMetadata, loadMetadata, rememberMetadata } from './load-metadata.ts';
import type { MetadataResult, MetadataRun } from './metadata-run.ts';
import { recallMetadata } from './recall-metadata.ts';
import { rereadMetadata } from './reread-metadata.ts';

/** What the run would have answered from what earlier runs left, in each way that there is; writes and says nothing. */
export async function recallEarlier(
  run: MetadataRun,
  store: RecordStore,
): Promise<readonly MetadataResult[]> {
  const answers = [
    await recallMetadata(quiet(run), store),
    await recallMetadata(quiet(run), store, { rereadsMembers: true }),
    await reread(run, store),
    await reread(run, withoutAnswers(store)),
  ];
  return answers.filter((answer) => answer !== null);
}

/**
 * Compares what was loaded anew with those earlier answers, keeps what the run would have kept, and answers again in
 * every way from that, and from what was loaded anew. Throws where any answer is another document.
 */
export async function verifyMetadata(
  loaded: LoadedMetadata,
  earlier: readonly MetadataResult[],
  { run, store }: { readonly run: MetadataRun; readonly store: RecordStore },
): Promise<void> {
  for (const { document } of earlier) compare(document, loaded);
  // A lock file that was just made can lead to another document in the next run, and to another lock file: nothing is
  // loaded again before an answer holds, which it does for a lock file that stays.
  let expected = loaded.isForced ? loaded : null;
  const check = async (answer: () => Promise<MetadataResult | null>): Promise<void> => {
    const recalled = await answer();
    if (recalled === null) return;
    expected ??= await load(run, null);
    compare(recalled.document, expected);
    recalled.remember();
  };
  const recall = async (): Promise<MetadataResult | null> => recallMetadata(quiet(run), store);
  const recallEdited = async (): Promise<MetadataResult | null> =>
    recallMetadata(quiet(run), store, { rereadsMembers: true });
  const [first] = earlier;
  if (first !== undefined) {
    first.remember();
  } else if (loaded.isForced) {
    const besideKept = await load(run, store);
    compare(besideKept.document, loaded);
    rememberMetadata(besideKept, store);
  }
  await check(recall);
  rememberMetadata(loaded, store);
  await check(recall);
  await check(recallEdited);
  await check(async () => reread(run, withoutAnswers(store)));
  await check(async () => reread(run, store));
  await check(recallEdited);
  await check(recall);
}

async function load(run: MetadataRun, store: RecordStore | null): Promise<LoadedMetadata> {
  const silent = quiet(run);
  const opened = openRun(silent);
  const kept = store === null ? null : new KeptDependencies(store, opened.view, run.options.config);
  return loadMetadata(silent, opened, { kept, ahead: null, isKept: store !== null });
}

async function reread(run: MetadataRun, store: RecordStore): Promise<MetadataResult | null> {
  return unlessWrong(run.options.config, async () => {
    const silent = quiet(run);
    const opened = openRun(silent);
    const kept = new KeptDependencies(store, opened.view, run.options.config);
    return rereadMetadata(silent, opened, { store, kept });
  });
}

function withoutAnswers(store: RecordStore): RecordStore {
  return {
    read: (kind, key) => (kind === 'answer' ? null : store.read(kind, key)),
    has: (kind, key) => kind !== 'answer' && store.has(kind, key),
    write: (kind, key, bytes) => store.write(kind, key, bytes),
  };
}

function compare(document: MetadataResult['document'], expected: LoadedMetadata): void {
  expectSameAnswer(bytesOfText(document).equals(bytesOfText(expected.document)));
}
