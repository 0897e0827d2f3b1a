/** Tips for short flags in the wrong case. */
import { dashedName, type Flag, rejectedFlag } from './flag.ts';

/** Returns flags that are rejected with a tip, such as `-f` for a command that has only `-F`. */
export function wrongCaseFlags(flags: readonly Flag[]): readonly Flag[] {
  const known = new Set(flags.map(({ short }) => short));
  return flags.flatMap((flag) => {
    if (flag.short === null || flag.kind === 'rejected' || flag.isHidden === true) return [];
    const otherCase = swapCase(flag.short);
    if (known.has(otherCase)) return [];
    const name = `wrong-case-${otherCase}`;
    return [rejectedFlag(name, { flag: dashedName(flag) }, { long: null, short: otherCase })];
  });
}

function swapCase(letter: string): string {
  const upper = letter.toUpperCase();
  return letter === upper ? letter.toLowerCase() : upper;
}
