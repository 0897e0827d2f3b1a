/** Thrown by readers of derived files at what no writer wrote, or what no longer fits where it is read. */
export class DamagedRecordError extends Error {
  override readonly name = 'DamagedRecordError';
}

/** What `parse` makes of a text that stands in a record. Throws `DamagedRecordError` where it is not of its form. */
export function parseKept<T>(parse: () => T, what: string): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SyntaxError) throw new DamagedRecordError(what);
    throw error;
  }
}
