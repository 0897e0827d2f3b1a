/**
 * Hyperlinks on a terminal. Cargo Book: Configuration, `term.hyperlinks`. The lists of terminals are those of the crate
 * `supports-hyperlinks`.
 */
import type { Environment } from '../config/environment.ts';

const PROGRAMS = new Set(['Hyper', 'terminology', 'WezTerm', 'vscode', 'ghostty', 'zed']);
const TERMINALS = new Set(['xterm-kitty', 'alacritty', 'alacritty-direct']);
/** The first release of VTE with usable links. */
const VTE_VERSION = 5000;

/** Returns true if the environment indicates a terminal that supports links. `FORCE_HYPERLINK` overrides this. */
export function knowsHyperlinks(env: Environment): boolean {
  // As in cargo, which has an unknown incompatibility with iTerm.
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

/** Returns `text` as a link to `url`, in an OSC 8 sequence. */
export function hyperlink(url: string, text: string): string {
  return `\x1b]8;;${url}\x1b\\${text}\x1b]8;;\x1b\\`;
}
