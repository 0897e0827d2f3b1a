/** Under which name the program speaks, and which of two conventions it follows. */
import { type Environment, programName } from '../config/environment.ts';
import type { ProgramName } from '../errors/wording.ts';

/** What `TSREG_COMPAT` decides. */
export interface Identity {
  /** The name in usage and hints. */
  readonly program: ProgramName;
  /** Exit status of a command line that is refused. */
  readonly usageExitStatus: 101 | 1;
  /** The form of package ids where no flag says which. */
  readonly idForm: 'legacy' | 'spec';
}

/** Reads `TSREG_COMPAT`: `cargo` for everything as cargo has it. */
export function identify(env: Environment): Identity {
  const program = programName(env);
  return program === 'cargo'
    ? { program, usageExitStatus: 1, idForm: 'spec' }
    : { program, usageExitStatus: 101, idForm: 'legacy' };
}
