/** Thrown by readers of derived files at what no writer wrote. */
export class DamagedRecordError extends Error {
  override readonly name = 'DamagedRecordError';
}
