/** Yields an error, its cause, the cause of that, and so on. Yields nothing for a value that is not an error. */
export function* errorChain(error: unknown): Generator<Error, void, undefined> {
  for (let link = error; link instanceof Error; link = link.cause) yield link;
}
