/** Checks that static files match the records. */
import { present } from '../../core/errors/assert.ts';
import type { Records } from '../store/store.ts';
import type { StaticFiles } from '../store/static-records.ts';
import type { StoreProblem } from './verify-store.ts';
import { StaticIndexPublisher } from '../static/static-index-publisher.ts';
import {
  indexBodyOf,
  STATIC_CONFIG_PATH,
  staticArchivePath,
  staticArchives,
  staticIndexPath,
} from '../static/static-layout.ts';

/** The result of a check. */
export interface StaticVerifyResult {
  readonly crates: number;
  readonly problems: readonly StoreProblem[];
  /** Number of problems that were repaired. */
  readonly repaired: number;
}

/** The records, and the static files that should match them. */
interface Sides {
  readonly records: Records;
  readonly files: StaticFiles;
}

/**
 * Compares all index files and the list of archives with the records. Both may change meanwhile. Returns null if there
 * is no `config.json`. With `isRepairing`, rewrites wrong files and deletes unneeded archives.
 */
export async function verifyStatic(
  sides: Sides,
  { isRepairing }: { readonly isRepairing: boolean },
): Promise<StaticVerifyResult | null> {
  const { records, files } = sides;
  if ((await files.stat(STATIC_CONFIG_PATH)) === null) return null;
  const wrongFiles: { readonly crate: string; readonly message: string }[] = [];
  const names = new Set<string>();
  for await (const { crate } of records.eachVersion()) {
    if (names.has(crate)) continue;
    names.add(crate);
    const message = await findProblem(sides, crate);
    if (message !== null) wrongFiles.push({ crate, message });
  }
  const lowerCaseNames = new Set([...names].map((name) => name.toLowerCase()));
  for await (const { path } of files.list('index/')) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (path === STATIC_CONFIG_PATH || lowerCaseNames.has(name)) continue;
    const message = await findProblem(sides, name);
    if (message !== null) wrongFiles.push({ crate: name, message });
  }
  const leftovers = await findLeftovers(sides, names);
  const problems = [
    ...wrongFiles.map(({ crate, message }) => ({ crate, version: null, message })),
    ...leftovers.map((path) => ({ crate: null, version: null, message: `\`${path}\` belongs to no crate` })),
  ];
  if (!isRepairing) return { crates: names.size, problems, repaired: 0 };
  let repaired = 0;
  for (const { crate } of wrongFiles) if (await rewrite(sides, crate)) repaired += 1;
  for (const path of leftovers) await files.delete(path);
  return { crates: names.size, problems, repaired: repaired + leftovers.length };
}

/** Returns a description of the problem; null if the crate's files match the records, now or a moment ago. */
async function findProblem({ records, files }: Sides, crate: string): Promise<string | null> {
  const before = await records.findIndexFile(crate.toLowerCase());
  const file = await files.read(staticIndexPath(crate));
  const after = await records.findIndexFile(crate.toLowerCase());
  const writtenBody = indexBodyOf(file?.text ?? '');
  if (![before, after].some((indexFile) => (indexFile?.body ?? '') === writtenBody)) {
    return 'its static index file does not match the records';
  }
  const archives = new Set<string>();
  for await (const { path } of files.list(staticArchives(crate))) archives.add(path);
  const missing = checksumsOf(writtenBody).filter(
    (checksum) => !archives.has(staticArchivePath(crate, checksum)),
  );
  if (missing.length > 0) return `${missing.length} of its static .crate files are missing`;
  // Archives are written before the index refers to them, so a publication meanwhile may be ahead of `writtenBody`.
  const latest = (await records.findIndexFile(crate.toLowerCase()))?.body ?? '';
  for (const checksum of checksumsOf(writtenBody + latest))
    archives.delete(staticArchivePath(crate, checksum));
  return archives.size === 0 ? null : `${archives.size} of its static .crate files belong to no version`;
}

/** Returns the checksums in the lines of an index file: `cksum`, Cargo Book: Registry Index, JSON schema. */
function checksumsOf(body: string): readonly string[] {
  return body.split('\n').flatMap((line) => /"cksum":"([0-9a-f]{64})"/.exec(line)?.[1] ?? []);
}

/** Lists archives of crates that do not exist. */
async function findLeftovers(
  { records, files }: Sides,
  names: ReadonlySet<string>,
): Promise<readonly string[]> {
  const leftovers: string[] = [];
  for await (const { path } of files.list('crates/')) {
    const name = present(path.split('/')[1], 'the name in the path of an archive');
    if (names.has(name) || (await records.findCrate(name))?.name === name) continue;
    leftovers.push(path);
  }
  return leftovers;
}

/** Writes a crate's files again. Returns false if they still do not match the records. */
async function rewrite(sides: Sides, crate: string): Promise<boolean> {
  await sides.records.markStaticChange(crate.toLowerCase());
  return (await silentPublisher(sides).flush(crate)) && (await findProblem(sides, crate)) === null;
}

/** Returns a publisher of static files that logs nothing. */
export function silentPublisher({ records, files }: Sides): StaticIndexPublisher {
  const silent = (): void => undefined;
  const log = { info: silent, warning: silent, error: silent };
  return new StaticIndexPublisher({ records, files, clock: { now: () => Date.now() }, log });
}
