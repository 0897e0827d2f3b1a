/** Progress that a terminal shows beside its window. Cargo Book: Configuration, `term.progress.term-integration`. */
import type { Environment } from '../config/environment.ts';

/** Takes what was reported away. */
export const NO_REPORT = report(0, 0);

/** The major version of Ptyxis that began to take reports. */
const FIRST_PTYXIS = 48;

/** True if the environment tells of a terminal that takes reports. */
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

/** Says how much of an operation is done. */
export function progressReport({ done, total }: { readonly done: number; readonly total: number }): string {
  return report(1, Math.trunc(total === 0 ? 0 : (100 * done) / total));
}

function report(state: number, percent: number): string {
  return `\x1b]9;4;${state};${percent}\x1b\\`;
}

/** A terminal lists features by words that begin with a capital; `P` is the one. */
function hasProgressFeature(features: string): boolean {
  const [words = ''] = /^[A-Za-z0-9]*/.exec(features) ?? [];
  return words.match(/[A-Z][a-z0-9]*/g)?.includes('P') === true;
}
