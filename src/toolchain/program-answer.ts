/** What another program says. */
import type { ChildProcess, ExecFileOptionsWithStringEncoding } from 'node:child_process';

/** How it is asked. */
export interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** More than it would say. */
  readonly maxBuffer: number;
  readonly timeoutMs?: number;
}

/** What a program prints; null if it cannot be started, fails, or says more or takes longer than it should. */
export async function programAnswer(
  file: string,
  args: readonly string[],
  { timeoutMs, ...options }: ProgramOptions,
): Promise<string | null> {
  const { execFile } = await import('node:child_process');
  const all: ExecFileOptionsWithStringEncoding = { ...options, timeout: timeoutMs, encoding: 'utf8' };
  const answer = await new Promise<string | null>((resolve) => {
    let child: ChildProcess;
    try {
      child = execFile(file, args, all, (error, stdout) => resolve(error === null ? stdout : null));
    } catch {
      // What Node finds out before it tries: below a file there is none, and on Windows a script is none.
      resolve(null);
      return;
    }
    child.stdin?.end();
  });
  options.signal.throwIfAborted();
  return answer;
}
