/** Returns the element at `number` modulo the length; the list may not be empty. */
export function pick<T>(list: readonly T[], number: number): T {
  const found = list[number % list.length];
  if (found === undefined) throw new Error('nothing to choose from');
  return found;
}

/** Returns the element as `pick` does; null for an empty list. */
export function pickOrNull<T>(list: readonly T[], number: number): T | null {
  return list.length === 0 ? null : pick(list, number);
}
