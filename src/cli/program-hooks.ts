/** What the program leaves to whoever starts it, as the only one who knows the process. */
export interface ProgramHooks {
  /**
   * Called before work that takes long; what is common takes a fraction of it. `startsThread` if right after
   * that a thread is started for it.
   */
  beforeLongWork(startsThread?: boolean): void;
  /** Called with what the program is about to do: the names of a command and of a flag, nothing of the user's. */
  noteUse(use: string): void;
  /** Called at the end of a command which has begun nothing that may still go on. */
  noteDone(): void;
}
