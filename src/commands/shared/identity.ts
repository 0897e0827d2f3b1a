/** The mode of the program: its own, or compatibility with cargo. */
import { type Environment, programName } from '../../io/config/environment.ts';
import type { ProgramName } from '../../core/errors/wording.ts';

/** The settings that depend on the mode. */
export interface Identity {
  /** The name in usage and hints. */
  readonly program: ProgramName;
  /** Exit status after a usage error. cargo's is 1, although that of all its other errors is 101. */
  readonly usageExitStatus: 101 | 1;
  /** The form of package ids if no flag sets it: see `formatPackageId`. */
  readonly idForm: 'legacy' | 'spec';
}

/** Reads `TSREG_COMPAT`; `cargo` turns on compatibility mode. */
export function identify(env: Environment): Identity {
  const program = programName(env);
  return program === 'cargo'
    ? { program, usageExitStatus: 1, idForm: 'spec' }
    : { program, usageExitStatus: 101, idForm: 'legacy' };
}
