import { compareBytes } from './compare-bytes.ts';

/** Returns a map sorted by the bytes of its keys: `map` itself if it is already sorted. */
export function sortByKey<T>(map: Map<string, T>): Map<string, T> {
  let last = '';
  let isSorted = true;
  map.forEach((_, key) => {
    isSorted &&= compareBytes(last, key) <= 0;
    last = key;
  });
  return isSorted ? map : new Map([...map].sort((a, b) => compareBytes(a[0], b[0])));
}
