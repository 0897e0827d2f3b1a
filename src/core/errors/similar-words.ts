/** Suggestions for mistyped flags and commands, as in the Rust crate `clap`. */

/** The similarity that a suggestion must exceed. */
const MIN_SIMILARITY = 0.7;

/** Returns the Jaro similarity: 0 for nothing in common, 1 for the same word. */
function jaroSimilarity(left: string, right: string): number {
  const a = Array.from(left);
  const b = Array.from(right);
  if (a.length === 0 && b.length === 0) return 1;
  if (a.length === 0 || b.length === 0) return 0;
  // Equal characters match if their positions differ by at most `reach`.
  const reach = Math.max(Math.trunc(Math.max(a.length, b.length) / 2) - 1, 0);
  const isMatched = b.map(() => false);
  const matched: string[] = [];
  for (const [i, character] of a.entries()) {
    const to = Math.min(b.length, i + reach + 1);
    for (let j = Math.max(0, i - reach); j < to; j += 1) {
      if (isMatched[j] === true || b[j] !== character) continue;
      isMatched[j] = true;
      matched.push(character);
      break;
    }
  }
  if (matched.length === 0) return 0;
  const matchedInB = b.filter((_, j) => isMatched[j] === true);
  const swapCount = Math.trunc(matched.filter((character, i) => character !== matchedInB[i]).length / 2);
  const count = matched.length;
  return (count / a.length + count / b.length + (count - swapCount) / count) / 3;
}

/** Returns the word most similar to `word`, the last of several; null if none is similar enough. */
export function mostSimilar(word: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let bestSimilarity = MIN_SIMILARITY;
  for (const candidate of known) {
    const similarity = jaroSimilarity(word, candidate);
    if (similarity > MIN_SIMILARITY && similarity >= bestSimilarity) {
      best = candidate;
      bestSimilarity = similarity;
    }
  }
  return best;
}
