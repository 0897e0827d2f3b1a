/** Flags that restrict access to the network and changes to the lock file. */

/** Command-line options for the lock file and the network. */
export interface AccessFlags {
  readonly locked: boolean;
  readonly frozen: boolean;
  /** `--offline` or `net.offline`. */
  readonly offline: boolean;
}

/** Returns the flag that forbids network access; null if it is allowed. */
export function offlineFlag({ frozen, offline }: AccessFlags): string | null {
  if (frozen) return '--frozen';
  return offline ? '--offline' : null;
}

/** Returns the flag that forbids changes to `Cargo.lock`; null if they are allowed. */
export function lockedFlag({ frozen, locked }: AccessFlags): string | null {
  if (frozen) return '--frozen';
  return locked ? '--locked' : null;
}
