/**
 * What makes the name of a temporary file unlike that of any other, for files that nobody must have made before. Node's
 * own random bytes take 4 ms to load.
 */
export function temporarySuffix(): string {
  return `.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
}
