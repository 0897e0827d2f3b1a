/** Thrown by readers of derived files at what no writer wrote, or what no longer fits where it is read. */
export class DamagedRecordError extends Error {
  override readonly name = 'DamagedRecordError';
}
