/** Each separator doubles the spellings, and each spelling needs a request: at most 64. */
const MAX_SEPARATORS = 6;

/** Returns all names that differ from `name` only in `-` and `_`, including itself; null if there are too many. */
export function findSpellings(name: string): readonly string[] | null {
  const [first = '', ...furtherParts] = name.split(/[-_]/);
  if (furtherParts.length > MAX_SEPARATORS) return null;
  return furtherParts.reduce<readonly string[]>(
    (heads, part) => heads.flatMap((head) => [`${head}-${part}`, `${head}_${part}`]),
    [first],
  );
}
