/** Finds names in an index that a user may have meant. */
import type { IndexEntry } from '../../core/protocol/index-line.ts';
import { entryName } from './index-summaries.ts';

/**
 * Returns the name in another letter case if that is usable. Otherwise returns the names with `-` and `_` exchanged.
 * `entriesOf` returns every line of a name's index file.
 */
export async function similarIndexNames(
  name: string,
  entriesOf: (name: string) => Promise<readonly IndexEntry[]>,
): Promise<readonly string[]> {
  // The path of an index file has no upper case, so this file may contain another spelling.
  const inOtherCase = (await entriesOf(name)).flatMap((entry) =>
    entry.kind === 'usable' && !entry.summary.yanked ? [entry.summary.id.name] : [],
  );
  if (inOtherCase.length > 0) return [...new Set(inOtherCase)];
  const variants = [name.replaceAll('-', '_'), name.replaceAll('_', '-')].filter((other) => other !== name);
  const entries = await Promise.all(variants.map(entriesOf));
  return [...new Set(entries.flat().map(entryName))];
}
