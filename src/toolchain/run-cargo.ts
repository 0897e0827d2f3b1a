/** Running cargo. */
import { TsregError } from '../errors/error.ts';
import type { CargoProgram } from './find-cargo.ts';

/** How cargo is started. */
export interface RunCargoOptions {
  readonly cwd: string;
  /** Variables beside those of `CargoProgram.env`. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Runs cargo to its end; what it says goes where this process's own output goes. Gives its exit status, null if a
 * signal ended it. Rejects if it cannot be started.
 */
export async function runCargo(
  cargo: CargoProgram,
  args: readonly string[],
  { cwd, variables, signal }: RunCargoOptions,
): Promise<number | null> {
  const { spawn } = await import('node:child_process');
  signal.throwIfAborted();
  return await new Promise((resolve, reject) => {
    const child = spawn(cargo.path, args, { cwd, env: { ...cargo.env, ...variables }, stdio: 'inherit' });
    const interrupt = (): void => void child.kill('SIGINT');
    signal.addEventListener('abort', interrupt, { once: true });
    child.once('error', (error) => {
      signal.removeEventListener('abort', interrupt);
      const cause = new TsregError(error.message, { code: 'toolchain' });
      reject(new TsregError(`could not execute process \`${cargo.path}\` (never executed)`, { cause }));
    });
    child.once('close', (status) => {
      signal.removeEventListener('abort', interrupt);
      try {
        signal.throwIfAborted();
        resolve(status);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}
