/** The similarity of words. */

/** Returns the Jaro similarity: 0 for nothing in common, 1 for the same word. */
function jaroSimilarity(left: string, right: string): number {
  const a = Array.from(left);
  const b = Array.from(right);
  if (a.length === 0 && b.length === 0) return 1;
  if (a.length === 0 || b.length === 0) return 0;
  const reach = Math.max(Math.trunc(Math.max(a.length, b.length) / 2) - 1, 0);
  const taken = b.map(() => false);
  const matched: string[] = [];
  for (const [i, character] of a.entries()) {
    const to = Math.min(b.length, i + reach + 1);
    for (let j = Math.max(0, i - reach); j < to; j += 1) {
      if (taken[j] === true || b[j] !== character) continue;
      taken[j] = true;
      matched.push(character);
      break;
    }
  }
  if (matched.length === 0) return 0;
  const other = b.filter((_, j) => taken[j] === true);
  const swapped = Math.trunc(matched.filter((character, i) => character !== other[i]).length / 2);
  const found = matched.length;
  return (found / a.length + found / b.length + (found - swapped) / found) / 3;
}

/** Returns the word most similar to `word`, the last of several; null if none is similar enough. */
export function mostSimilar(word: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let bestSimilarity = 0.7;
  for (const candidate of known) {
    const similarity = jaroSimilarity(word, candidate);
    if (similarity > 0.7 && similarity >= bestSimilarity) {
      best = candidate;
      bestSimilarity = similarity;
    }
  }
  return best;
}
