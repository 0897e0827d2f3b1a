/** What this program was started as. */

/** The file that Node was told to run, absolute, links not followed: its name is the one that was called. */
export function programFile(): string {
  return process.argv[1] ?? process.execPath;
}
