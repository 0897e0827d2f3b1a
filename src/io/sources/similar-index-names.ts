/** Finds names in an index that a user may have meant. */
import type { IndexEntry } from '../../core/protocol/index-line.ts';

/**
 * Returns the name in another letter case if that is usable. Otherwise returns the names with `-` and `_` exchanged.
 * `entriesOf` returns every line of a name's index file.
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
