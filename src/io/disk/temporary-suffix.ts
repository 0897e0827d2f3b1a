/**
 * Returns a random suffix for the name of a temporary file. Create the file exclusively (`wx`): another one may have
 * the same name. `Math.random` suffices for that, and loading Node's own random bytes takes 4 ms.
 */
export function temporarySuffix(): string {
  return `.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
}
