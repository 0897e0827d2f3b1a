/**
 * Returns a random suffix for the name of a temporary file, which must not exist yet. Loading Node's own random bytes
 * takes 4 ms.
 */
export function temporarySuffix(): string {
  return `.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
}
