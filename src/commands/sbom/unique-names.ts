/** Identifiers inside a document. */

/** Returns the names in the same order. A name that came before gets a number: `a`, `b`, `a-2`. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; taken.has(unique); number += 1) unique = `${name}-${number}`;
    taken.add(unique);
    return unique;
  });
}
