import { expect, it } from 'vitest';
import { present } from '../../../src/core/errors/assert.ts';
import { makePackageId } from '../../../src/core/package-id/package-id.ts';
import type { SourceId } from '../../../src/core/package-id/source-id.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import type { Summary } from '../../../src/core/summary/summary.ts';
import { parseVersion } from '../../../src/core/version/version.ts';
import { fetchFromSources } from '../../../src/io/sources/fetch-from-sources.ts';
import { type FetchedPackage, type FetchListener, Source } from '../../../src/io/sources/source.ts';
import { messagesOf } from '../../helpers/source-context.ts';

/**
 * How a source fetches its packages. `local`: on disk. `unstarted`: the download fails before it begins. `late` and
 * `early`: it fails after it began, `late` after all others. `stored`: no download is needed, but the fetch fails.
 */
type Kind = 'local' | 'local-fails' | 'unstarted' | 'late' | 'early' | 'stored';

/** A source with one package that has the name of its kind. */
class FakeSource extends Source {
  readonly #kind: Kind;
  readonly #log: string[];

  constructor(id: SourceId, kind: Kind, log: string[]) {
    super(id, id);
    this.#kind = kind;
    this.#log = log;
  }

  all(): readonly Summary[] {
    return [];
  }

  isDownloaded(): boolean {
    return this.#kind === 'stored';
  }

  async load(): Promise<void> {}

  async fetch(summaries: readonly Summary[], listener: FetchListener = {}): Promise<FetchedPackage[]> {
    this.#log.push(`start ${this.#kind}`);
    if (this.#kind === 'local') return summaries.map(({ id }) => ({ id, root: '/' }));
    if (this.#kind === 'late' || this.#kind === 'early') listener.onBegun?.();
    const turns = this.#kind === 'late' ? 20 : 1;
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    this.#log.push(`end ${this.#kind}`);
    throw new Error(this.#kind);
  }

  async similarNames(): Promise<readonly string[]> {
    return [];
  }
}

/** Fetches one package of each source. Returns the root cause of the failure, and what the sources did. */
async function failureOf(...kinds: readonly Kind[]): Promise<{ cause: string; log: readonly string[] }> {
  const table = new SourceTable();
  const log: string[] = [];
  const sources = new Map<SourceId, Source>();
  const summaries = kinds.map((kind): Summary => {
    const isLocal = kind === 'local' || kind === 'local-fails';
    const source = isLocal
      ? table.forDirectory(`/${kind}`)
      : table.forRegistryIndex(`sparse+https://${kind}.example/`);
    sources.set(source, new FakeSource(source, kind, log));
    return {
      id: makePackageId('a', parseVersion('1.0.0'), source),
      ...{ dependencies: [], features: new Map(), links: null, rustVersion: null },
      ...{ checksum: null, yanked: false, publishedAtMs: null },
    };
  });
  const fetching = fetchFromSources(summaries, (source) => present(sources.get(source), 'a source'), {});
  const error: unknown = await fetching.then(
    () => null,
    (reason: unknown) => reason,
  );
  return { cause: messagesOf(error).at(-1) ?? '', log: [...log] };
}

it.each<[Kind, string, readonly Kind[]]>([
  ['local-fails', 'before a download that was started earlier', ['early', 'local-fails']],
  ['local-fails', 'before a later download that cannot start', ['local-fails', 'unstarted']],
  ['unstarted', 'before a later package on disk', ['unstarted', 'local-fails']],
  ['unstarted', 'before a download that was started earlier', ['late', 'local', 'unstarted']],
  ['late', 'before a later download that fails sooner', ['late', 'early']],
  ['early', 'before an earlier registry that needs no download', ['stored', 'early']],
])('reports the failure of `%s` %s', async (cause, _, kinds) => {
  expect((await failureOf(...kinds)).cause).toBe(cause);
});

it('rejects after all started fetches have ended, and starts none after a failure on disk', async () => {
  const { log } = await failureOf('late', 'local-fails', 'early', 'stored');
  expect(log).toEqual(['start late', 'start local-fails', 'end local-fails', 'end late']);
});
