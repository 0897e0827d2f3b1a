/**
 * Measures whether a database with many crates is as fast as one with few: `node scripts/run-ts.mjs bench/database.ts
 * CRATES VERSIONS [load]`, with the database in `TSREG_DATABASE`; `load` fills it first.
 */
import { decodePublishMetadata } from '../src/core/protocol/publish-metadata.ts';
import { openPostgresRecords } from '../src/server/records/postgres-records.ts';
import { crateName, fillDatabase } from './fill-database.ts';
import type { SearchRequest } from '../src/server/store/crate-records.ts';

const RUNS = 300;

const [crates = 1000, versions = 10_000] = process.argv.slice(2, 4).map(Number);
const url = process.env['TSREG_DATABASE'] ?? '';
if (process.argv[4] === 'load') {
  const startedMs = performance.now();
  await fillDatabase(url, { crates, versions });
  console.log(`loaded in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
}
const { records, close } = await openPostgresRecords(url);

/** Prints the 10th percentile, which a busy machine changes least, the median and the 99th percentile. */
async function measure(what: string, body: (run: number) => Promise<unknown>, runs = RUNS): Promise<void> {
  for (let run = 0; run < Math.min(10, runs / 5); run += 1) await body(run);
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const startedMs = performance.now();
    await body(run);
    times.push(performance.now() - startedMs);
  }
  times.sort((a, b) => a - b);
  const at = (part: number): string => (times[Math.floor(times.length * part)] ?? 0).toFixed(2);
  console.log(`${what.padEnd(36)} ${at(0.1)} ms, median ${at(0.5)} ms, p99 ${at(0.99)} ms`);
}

const some = (run: number): string => crateName(1 + ((run * 7919) % crates));
const page = { limit: 10, offset: 0 };
await measure('index file', (run) => records.findIndexFile(some(run)));
await measure('version', (run) => records.findVersion(some(run), '1.0.0'));
await measure('versions of a crate', (run) => records.listVersions(some(run), page));
const search =
  (query: string | ((run: number) => string), more: Partial<SearchRequest> = {}) =>
  (run: number): Promise<unknown> =>
    records.searchCrates(typeof query === 'string' ? query : query(run), { ...page, ...more });
await measure('search: a name', search(some));
await measure(
  'search: a beginning of a name',
  search((run) => some(run).slice(0, -1)),
);
await measure(
  'search: two letters',
  search((run) => some(run).slice(0, 2)),
);
await measure('search: a word of many names', search('tokio'));
await measure('search: a part of such a word', search('oki'));
await measure('search: a word of descriptions', search('library'));
await measure(
  'search: a rare word',
  search((run) => String(100 + ((run * 7919) % (crates - 100)))),
);
await measure('search: a word of nothing', search('flibbertigibbet'));
await measure('search: a word of one in a hundred', search('777'));
await measure('search: two frequent words', search('tokio parse'));
await measure('search: two words, never together', search('numberless library'));
await measure(
  'search: a frequent and a rare word',
  search((run) => `library ${100 + ((run * 7919) % (crates - 100))}`),
);
await measure('search: three words', search('tokio parse web'));
await measure('search: no word', search(''));
await measure('search: page 10', search('tokio', { offset: 90 }));
await measure('search: 100 at a time', search('tokio', { limit: 100 }));
for (const order of ['downloads', 'name', 'updated', 'created'] as const) {
  await measure(`search by ${order}: frequent`, search('tokio', { order }), 100);
  await measure(`search by ${order}: rare`, search(some, { order }), 100);
}
await measure('recent crates', () => records.listRecentCrates(10));
await measure('dependents of a crate', (run) => records.listDependents(crateName(7 + run), page), 50);
await measure('dependents of a frequent crate', () => records.listDependents(crateName(1), page), 3);
await measure('counts', () => records.count(), 20);

const user = await records.findUser('bench');
if (user === null) throw new Error('the database was not filled');
const stamp = Date.now();
await measure('publish', async (run) => {
  const name = some(run);
  const version = `2.${stamp}.${run * 1_000_000 + Math.round(performance.now())}`;
  const line = { name, vers: version, deps: [], cksum: 'c', features: {}, yanked: false };
  await records.publishVersion({
    metadata: decodePublishMetadata(
      Buffer.from(JSON.stringify({ name, vers: version, description: 'again' })),
    ),
    ...{ indexLine: JSON.stringify(line), checksum: 'c', size: 1, blobKey: 'k', atMs: stamp },
    ...{ actor: { user, token: null }, isStored: true },
  });
});
await measure(
  'downloads of 1000 versions',
  (round) =>
    records.addDownloads(
      Array.from({ length: 1000 }, (_, at) => ({ crate: some(round + at), version: '1.0.0', count: 1 })),
      Date.now(),
    ),
  10,
);
console.log(`memory: ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MB`);
await close();
