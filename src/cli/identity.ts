/** Under which name the program speaks, and which of two conventions it follows. */
import type { Environment } from '../config/environment.ts';

/** What `TSREG_COMPAT` decides. */
export interface Identity {
  /** The name in usage and hints. */
  readonly program: 'tsreg' | 'cargo';
  /** Exit status of a command line that is refused. */
  readonly usageExitStatus: 101 | 1;
  /** The form of package ids where no flag says which. */
  readonly idForm: 'legacy' | 'spec';
}

/** Reads `TSREG_COMPAT`: `cargo` for everything as cargo has it. */
export function identify(env: Environment): Identity {
  return env.TSREG_COMPAT === 'cargo'
    ? { program: 'cargo', usageExitStatus: 1, idForm: 'spec' }
    : { program: 'tsreg', usageExitStatus: 101, idForm: 'legacy' };
}
