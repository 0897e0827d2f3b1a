/** Names in an index that a user may have meant. */
import type { IndexEntry } from '../protocol/index-line.ts';

/**
 * The name in another letter case, if that is usable; else what `-` and `_` changed for each other leads to.
 * `entriesOf` gives every line of the index file of a name.
 */
export async function similarIndexNames(
  name: string,
  entriesOf: (name: string) => Promise<readonly IndexEntry[]>,
): Promise<readonly string[]> {
  const inOtherCase = (await entriesOf(name)).flatMap((entry) =>
    entry.kind === 'usable' && !entry.summary.yanked ? [entry.summary.id.name] : [],
  );
  if (inOtherCase.length > 0) return [...new Set(inOtherCase)];
  const variants = [name.replaceAll('-', '_'), name.replaceAll('_', '-')].filter((other) => other !== name);
  const entries = await Promise.all(variants.map(entriesOf));
  return [...new Set(entries.flat().map(nameOf))];
}

function nameOf(entry: IndexEntry): string {
  return entry.kind === 'usable' ? entry.summary.id.name : entry.name;
}
