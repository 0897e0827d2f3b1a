/** Lists in messages. */

/** Returns the first `max` items, separated by commas, and the number of the others: `a, b and 3 more`. */
export function shortList(items: readonly string[], max: number): string {
  const shown = items.slice(0, max).join(', ');
  return items.length > max ? `${shown} and ${items.length - max} more` : shown;
}
