import type { ServerContext } from '../../server-context.ts';
import { SingleFlight } from '../../shared/single-flight.ts';
import type { AuditEntry } from '../../store/values.ts';
import { adminOverviewPage, type FailedSignIns, type OverviewHealth } from './admin-overview-page.ts';
import type { PageServices, UserPageRequest } from '../services/page-handlers.ts';

const RECENT_ENTRIES = 10;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Sums of sizes are used again for this long, because they need a read of every version. */
const MAX_SIZES_AGE_MS = 5 * 60 * 1000;

/** Sums of sizes in bytes. */
interface Sizes {
  /** The time before the sizes were read. */
  readonly atMs: number;
  readonly publishedBytes: number;
  /** null without an upstream. */
  readonly cachedBytes: number | null;
}

/** Shows the state of the registry to admins. */
export class AdminOverview {
  readonly #services: PageServices;
  readonly #counting = new SingleFlight<Sizes>();
  #sizes: Sizes | null = null;

  constructor(services: PageServices) {
    this.#services = services;
  }

  async show({ frame, show }: UserPageRequest): Promise<Response> {
    const { records, clock } = this.#services.context;
    const [counts, usableTokens, sizes, health, recent] = await Promise.all([
      records.count(),
      records.countUsableTokens(clock.now()),
      this.#readSizes(),
      this.#readHealth(),
      recentEntries(records),
    ]);
    const { publishedBytes, cachedBytes } = sizes;
    const failedSignIns = this.#failedSignIns();
    return show(
      adminOverviewPage(frame, {
        counts,
        publishedBytes,
        cachedBytes,
        usableTokens,
        failedSignIns,
        health,
        recent,
      }),
    );
  }

  #failedSignIns(): FailedSignIns {
    const { failedSignIns, context } = this.#services;
    const nowMs = context.clock.now();
    return { count: failedSignIns.total(nowMs), isOfWholeDay: nowMs - failedSignIns.sinceMs >= DAY_MS };
  }

  async #readHealth(): Promise<OverviewHealth> {
    const { context, health, failedSignIns } = this.#services;
    const { records, upstream, settings } = context;
    const [failing, isReadOnly] = await Promise.all([health.findFailing(), records.isReadOnly()]);
    return {
      failing,
      lastFailure: health.lastFailure,
      isReadOnly,
      upstream: upstream?.state ?? null,
      version: settings.version,
      sqlite: records.sqlite ?? null,
      // The count of failed sign-ins begins when the server starts.
      startedAtMs: failedSignIns.sinceMs,
    };
  }

  /** Returns the sums, which may be as old as `MAX_SIZES_AGE_MS`. */
  async #readSizes(): Promise<Sizes> {
    const { records, clock, upstream } = this.#services.context;
    const atMs = clock.now();
    if (this.#sizes !== null && atMs - this.#sizes.atMs < MAX_SIZES_AGE_MS) return this.#sizes;
    this.#sizes = await this.#counting.run('all', async () => {
      const [publishedBytes, cachedBytes] = await Promise.all([
        records.sumVersionSizes(),
        upstream === null ? null : records.sumMirrored(),
      ]);
      return { atMs, publishedBytes, cachedBytes };
    });
    return this.#sizes;
  }
}

async function recentEntries(records: ServerContext['records']): Promise<readonly AuditEntry[]> {
  const everything = { filter: {}, period: { fromMs: null, untilMs: null }, start: null };
  const { items } = await records.searchAudit({
    ...everything,
    limit: RECENT_ENTRIES,
    // Without a filter, every examined entry matches. The search requires more than `limit`.
    maxExamined: RECENT_ENTRIES + 1,
  });
  return items;
}
