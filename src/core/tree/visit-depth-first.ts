/**
 * Calls `visit` for `start` and, depth first, for each item that a visit yields. The visit goes on when everything below
 * that item is done. Needs a stack, as chains of packages and features can have any length.
 */
export function visitDepthFirst<T>(start: T, visit: (item: T) => Iterable<T>): void {
  const stack = [visit(start)[Symbol.iterator]()];
  for (let last = stack.at(-1); last !== undefined; last = stack.at(-1)) {
    const next = last.next();
    if (next.done === true) stack.pop();
    else stack.push(visit(next.value)[Symbol.iterator]());
  }
}
