/** Reports the error of a run. */
import type { Identity } from '../commands/shared/identity.ts';
import { UsageError } from '../commands/shared/usage-error.ts';
import type { Environment } from '../io/config/environment.ts';
import { ClosedPipe } from '../io/terminal/output-stream.ts';
import type { Shell } from '../io/terminal/shell.ts';
import { isSystemError } from '../io/terminal/system-error.ts';
import { folderForPaths } from './working-folder.ts';

/** The program that failed, and its output. */
export interface FailedRun {
  readonly env: Environment;
  readonly identity: Identity;
  readonly shell: Shell;
}

/** cargo's exit status for all errors except usage errors. */
const FAILURE_STATUS = 101;

/**
 * Prints an error and returns the exit status. A closed pipe is not an error: its reader needs no more. In tsreg's own
 * mode, adds `hint`, unless it is null.
 */
export async function reportFailure(
  error: unknown,
  { shell, identity }: FailedRun,
  hint: string | null = null,
): Promise<number> {
  if (error instanceof ClosedPipe) return 0;
  if (error instanceof UsageError) {
    // cargo's own checks of values end without a line break.
    const isEnded = identity.program === 'cargo' || error.message.endsWith('\n');
    shell.writeError(isEnded ? error.message : `${error.message}\n`);
    return identity.usageExitStatus;
  }
  const { renderError } = await import('./render-error.ts');
  try {
    shell.writeError(
      renderError(error, {
        cwd: folderForPaths(),
        width: shell.errorWidth,
        verbose: shell.verbosity === 'verbose',
        quiet: shell.verbosity === 'quiet',
        program: identity.program,
        hint,
      }),
    );
  } catch (failure) {
    // If stderr cannot be written, the error cannot be reported.
    if (!(failure instanceof ClosedPipe) && !isSystemError(failure)) throw failure;
  }
  return FAILURE_STATUS;
}

/** Prints an error as an annotation if the CI system supports them. Not in compatibility mode. */
export async function annotateFailure(
  error: unknown,
  title: string,
  { env, shell, identity }: FailedRun,
): Promise<void> {
  if (identity.program === 'cargo' || error instanceof ClosedPipe) return;
  const { errorAnnotation } = await import('./ci-annotation.ts');
  const annotation = errorAnnotation(error, title, env);
  if (annotation !== null) shell.writeCiCommand(annotation);
}
