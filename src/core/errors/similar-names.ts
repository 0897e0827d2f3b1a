/** Suggestions for mistyped names. */

/** Maximum distance of a suggestion, as in cargo. */
const MAX_DISTANCE = 3;

/**
 * Returns the restricted Damerau-Levenshtein distance (insert, delete, substitute, swap neighbours) of two names,
 * ignoring case; null if it is more than `limit`, by default cargo's limit for suggestions.
 */
export function editDistance(left: string, right: string, limit: number = MAX_DISTANCE): number | null {
  let a = Array.from(left.toLowerCase());
  let b = Array.from(right.toLowerCase());
  if (a.length < b.length) [a, b] = [b, a];
  if (a.length - b.length > limit) return null;
  // Equal starts and ends do not change the distance.
  let start = 0;
  while (start < b.length && a[start] === b[start]) start++;
  let aEnd = a.length;
  let bEnd = b.length;
  while (bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  a = a.slice(start, aEnd);
  b = b.slice(start, bEnd);
  // Only three rows of the table of costs are needed.
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = a[row - 1] === b[column - 1] ? 0 : 1;
      let cost = Math.min(
        costAt(last, column) + 1,
        costAt(current, column - 1) + 1,
        costAt(last, column - 1) + substitution,
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, costAt(beforeLast, column - 2) + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  const distance = costAt(last, b.length);
  return distance <= limit ? distance : null;
}

/** Returns a value of a row; an infinite cost outside of it. */
function costAt(row: readonly number[], column: number): number {
  return row[column] ?? Number.MAX_SAFE_INTEGER;
}

/** Returns the name closest to `name`, the first of several; null if none is close enough. */
export function closestName(name: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = MAX_DISTANCE + 1;
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance !== null && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Returns the names that are likely to be meant: their distance from `name` is at most 1, or a third of its length. */
export function likelyNames(name: string, known: Iterable<string>): readonly string[] {
  const limit = Math.max(1, Math.floor(Array.from(name).length / 3));
  return [...known].filter((candidate) => editDistance(name, candidate, limit) !== null);
}

/** Returns the hint that cargo appends to "no such `kind`" messages; empty if no known name is close. */
export function closestNameHint(name: string, known: Iterable<string>, kind: string): string {
  const closest = closestName(name, known);
  return closest === null ? '' : `\n\nhelp: a ${kind} with a similar name exists: \`${closest}\``;
}
