/** Progress that a terminal shows outside its text. Cargo Book: Configuration, `term.progress.term-integration`. */
import type { Environment } from '../config/environment.ts';

/** The sequence that removes the reported progress. */
export const NO_REPORT = report(0, 0);

/** The first major version of Ptyxis that accepts reports. */
const FIRST_PTYXIS = 48;

/** Returns true if the environment indicates a terminal that accepts reports. */
export function takesProgressReports(env: Environment): boolean {
  const { TERM_PROGRAM: program, PTYXIS_VERSION: ptyxis = '' } = env;
  return (
    env.WT_SESSION !== undefined ||
    env.ConEmuANSI === 'ON' ||
    program === 'WezTerm' ||
    program === 'ghostty' ||
    (/^\+?\d+(?:\.|$)/.test(ptyxis) && Number.parseInt(ptyxis, 10) >= FIRST_PTYXIS) ||
    hasProgressFeature(env.TERM_FEATURES ?? '')
  );
}

/** Returns the sequence that reports how much of an operation is done. */
export function progressReport({ done, total }: { readonly done: number; readonly total: number }): string {
  return report(1, Math.trunc(total === 0 ? 0 : (100 * done) / total));
}

/** Returns an OSC 9;4 sequence of ConEmu. The state is 0 to remove the progress, 1 to show it. */
function report(state: number, percent: number): string {
  return `\x1b]9;4;${state};${percent}\x1b\\`;
}

/** Returns true if `TERM_FEATURES` contains `P`. In it, each feature is a word that starts with a capital letter. */
function hasProgressFeature(features: string): boolean {
  const words = features.replace(/[^A-Za-z0-9].*/s, '');
  return words.match(/[A-Z][a-z0-9]*/g)?.includes('P') === true;
}
