/** The cached crates of the upstream with advisories, for admins. */
import type { ServerContext } from '../../server-context.ts';
import type { Advisories } from '../../store/advisories.ts';
import { type AffectedCrate, affectedCrate, affectedTable } from '../shared/affected-crates.ts';
import { countOf, formatCount } from '../shared/format.ts';
import { html, type Html } from '../shared/html.ts';
import { namedPager } from '../shared/layout.ts';
import type { ListPart } from '../shared/paging.ts';
import { withQuery } from '../shared/paths.ts';

/** A cached crate, and how many `.crate` files of its affected versions are cached. */
export interface AffectedMirroredCrate extends AffectedCrate {
  readonly cachedFiles: number;
}

/** The services that find cached crates with advisories. */
interface AdvisoryServices {
  readonly context: ServerContext;
  readonly upstream: NonNullable<ServerContext['upstream']>;
  readonly advisories: Advisories;
}

/** Names in one query. */
const NAMES_AT_ONCE = 500;

/** Returns the names of cached crates that advisories are about, sorted. Some may have no affected version. */
export async function findMirroredNames({
  upstream,
  advisories,
}: AdvisoryServices): Promise<readonly string[]> {
  const names: string[] = [];
  const { crates } = advisories;
  for (let start = 0; start < crates.length; start += NAMES_AT_ONCE) {
    names.push(...(await upstream.cache.findNames(crates.slice(start, start + NAMES_AT_ONCE))));
  }
  return names.sort();
}

/** Returns a cached crate with its affected versions; null if none are affected, or if it is no longer cached. */
export async function findAffectedMirrored(
  { context, upstream, advisories }: AdvisoryServices,
  name: string,
): Promise<AffectedMirroredCrate | null> {
  const crate = await upstream.cache.find(name);
  if (crate === null) return null;
  const versions = crate.versions.map(({ version }) => version);
  const affected = affectedCrate(advisories, { name: crate.name, versions });
  if (affected === null) return null;
  const numbers = new Set(affected.affectedVersions);
  const checksums = crate.versions
    .filter(({ version }) => numbers.has(version))
    .map(({ checksum }) => checksum);
  const archives = await context.records.listMirroredArchives(checksums);
  return { ...affected, cachedFiles: archives.length };
}

/** Returns the section of the admin page about the mirror. `advisoryCount` is the number of all known advisories. */
export function mirroredAdvisories(
  part: ListPart<AffectedMirroredCrate>,
  { advisoryCount }: { readonly advisoryCount: number },
): Html {
  const { list, page, pages } = part;
  const pathOf = (other: number): string =>
    `${withQuery('/admin/mirror', { affected: other === 1 ? null : other })}#advisories`;
  return html`<section aria-labelledby="advisories"><h2 id="advisories">Cached crates with advisories</h2>
<p class="quiet">${countOf(advisoryCount, 'advisory', 'advisories')} ${advisoryCount === 1 ? 'is' : 'are'} known. <a href="/admin/advisories">See the crates of this registry</a></p>
${list.items.length === 0 ? html`<p>No advisory is about a cached crate.</p>` : affectedTable(list.items, CACHED_FILES)}
${namedPager({ page, pages }, { label: 'Pages of crates with advisories', pathOf })}</section>`;
}

const CACHED_FILES = {
  heading: 'Cached affected files',
  valueOf: ({ cachedFiles }: AffectedMirroredCrate) => formatCount(cachedFiles),
};
