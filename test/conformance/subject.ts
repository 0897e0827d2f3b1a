import path from 'node:path';
import { type Program, tsregProgram } from '../helpers/program.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { findOracle } from './oracle.ts';

/** The program that is judged, in the forms in which it is asked. */
export interface Subject {
  /** As cargo would answer. */
  readonly program: Program;
  /** Without `TSREG_COMPAT`: every failure is 101. Null for cargo itself. */
  readonly plain: Program | null;
}

/**
 * `tsreg` is the built program, and so is a folder that has one; `cargo` lets cargo judge itself, which shows that the
 * comparison is sound.
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

/** The arguments that ask for the older form of ids. */
export const legacyArgs = ['--package-id-format', 'legacy'] as const;
