/** Repeated work of an open registry that no request waits for. */
import type { DownloadCounter } from './http/download-counter.ts';
import type { Log } from './shared/log.ts';
import { reasonOf } from './shared/reason-of.ts';
import type { Records } from './store/store.ts';

/** The background work of a registry. */
export interface BackgroundWork {
  /** Ends the work, and saves the downloads that are not saved yet. The store must still be open. */
  stop(): Promise<void>;
}

const COUNT_DOWNLOADS_EVERY_MS = 5_000;
const RANK_CRATES_EVERY_MS = 5 * 60_000;

/** Saves the counted downloads and ranks the crates from time to time, until `stop` is called. */
export function startBackgroundWork(
  downloads: DownloadCounter,
  { records, log }: { readonly records: Records; readonly log: Log },
): BackgroundWork {
  downloads.start(COUNT_DOWNLOADS_EVERY_MS);
  const ranking = setInterval(() => {
    records.rankCrates().catch((error: unknown) => {
      log.warning('crates-not-ranked', { reason: reasonOf(error) });
    });
  }, RANK_CRATES_EVERY_MS).unref();
  return {
    async stop() {
      clearInterval(ranking);
      await downloads.stop();
    },
  };
}
