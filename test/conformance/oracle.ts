import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { Program } from '../helpers/program.ts';

/** The release that answers are compared with. */
export const oracleVersion = '1.95.0';

/**
 * Real cargo: the one that `CARGO` names, else rustup's or the one in PATH. The executable itself is used and
 * not rustup's proxy, which takes its time and changes the environment. Throws if its release is another.
 */
export function findOracle(version: string = oracleVersion): Program {
  const file = process.env['CARGO'] ?? ask('rustup', ['which', 'cargo']) ?? ask('which', ['cargo']);
  if (file === null) throw new Error('no cargo on this machine: set CARGO');
  const found = ask(file, ['--version']);
  if (found === null || `${found} `.split(' ')[1] !== version) {
    throw new Error(`the comparison needs cargo ${version}, but ${file} is ${found ?? 'none'}`);
  }
  return {
    name: 'cargo',
    command: [file],
    env: { PATH: `${path.dirname(file)}:${process.env['PATH'] ?? ''}` },
  };
}

function ask(file: string, args: readonly string[]): string | null {
  try {
    return execFileSync(file, [...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
