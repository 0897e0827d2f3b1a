/** Links in text on a terminal. Cargo Book: Configuration, `term.hyperlinks`. */
import type { Environment } from '../config/environment.ts';

const PROGRAMS = new Set(['Hyper', 'terminology', 'WezTerm', 'vscode', 'ghostty', 'zed']);
const TERMINALS = new Set(['xterm-kitty', 'alacritty', 'alacritty-direct']);
/** The release of VTE whose links are of use. */
const VTE_VERSION = 5000;

/** True if the environment tells of a terminal that shows links; `FORCE_HYPERLINK` says it outright. */
export function knowsHyperlinks(env: Environment): boolean {
  // cargo does without them there, for a fault that nobody has found.
  if (env.TERM_PROGRAM === 'iTerm.app') return false;
  if (env.FORCE_HYPERLINK !== undefined) return env.FORCE_HYPERLINK.trim() !== '0';
  return (
    env.DOMTERM !== undefined ||
    isRecentVte(env.VTE_VERSION) ||
    PROGRAMS.has(env.TERM_PROGRAM ?? '') ||
    TERMINALS.has(env.TERM ?? '') ||
    env.COLORTERM === 'xfce4-terminal' ||
    env.WT_SESSION !== undefined ||
    env.KONSOLE_VERSION !== undefined
  );
}

function isRecentVte(version: string | undefined): boolean {
  return version !== undefined && /^\+?\d+$/.test(version) && Number(version) >= VTE_VERSION;
}

/** `text` as a link. */
export function hyperlink(url: string, text: string): string {
  return `\x1b]8;;${url}\x1b\\${text}\x1b]8;;\x1b\\`;
}
