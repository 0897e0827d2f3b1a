import path from 'node:path';
import { type Program, tsregProgram } from '../helpers/program.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { findOracle } from './oracle.ts';

/** The tested program in its modes. */
export interface Subject {
  /** With cargo's output. */
  readonly program: Program;
  /** Without `TSREG_COMPAT`: every failure has status 101. Null for cargo itself. */
  readonly plain: Program | null;
}

/**
 * Returns the subject. `tsreg` is the built program, and a path names another checkout with a build. `cargo` compares
 * cargo with itself, which shows that the comparison is sound.
 */
export function findSubject(name: string): Subject {
  if (name === 'cargo') return { program: { ...findOracle(), name: 'cargo again' }, plain: null };
  if (name !== 'tsreg' && !name.includes('/')) throw new Error(`unknown subject ${name}`);
  const folder = name === 'tsreg' ? projectRoot : path.resolve(name);
  return {
    program: tsregProgram({ TSREG_COMPAT: 'cargo', TSREG_CACHE: 'verify' }, folder),
    plain: tsregProgram({ TSREG_CACHE: 'verify' }, folder),
  };
}

/** The arguments for the older format of ids. */
export const legacyArgs = ['--package-id-format', 'legacy'] as const;
