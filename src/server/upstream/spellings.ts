/** More separators than that would be too many requests for one name. */
const MAX_SEPARATORS = 6;

/** Every name that differs from this one in `-` and `_` alone, itself included; null if they are too many. */
export function findSpellings(name: string): readonly string[] | null {
  const [first = '', ...rest] = name.split(/[-_]/);
  if (rest.length > MAX_SEPARATORS) return null;
  return rest.reduce<readonly string[]>(
    (heads, part) => heads.flatMap((head) => [`${head}-${part}`, `${head}_${part}`]),
    [first],
  );
}
