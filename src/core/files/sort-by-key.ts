/** Maps in the order of their keys. */
import { compareBytes } from './compare-bytes.ts';

/** Returns a map sorted by the bytes of its keys: `map` itself if it is already sorted. */
export function sortByKey<T>(map: Map<string, T>): Map<string, T> {
  let previous = '';
  let isSorted = true;
  map.forEach((_, key) => {
    isSorted &&= compareBytes(previous, key) <= 0;
    previous = key;
  });
  return isSorted ? map : new Map([...map].sort((a, b) => compareBytes(a[0], b[0])));
}
