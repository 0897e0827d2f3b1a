import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** A program on a terminal with simulated key presses. */
export interface TypedShell extends AsyncDisposable {
  /** Types `keys` and waits until the output since then matches `until`. Returns that output. */
  type(keys: string, until: RegExp): Promise<string>;
}

/** Returns the reason why `programs` cannot run on a terminal; null if they can. */
export function missingForTyping(...programs: readonly string[]): string | null {
  if (process.platform !== 'linux') return 'no Linux';
  const missing = ['script', ...programs].find((name) => spawnSync(name, ['--version']).status !== 0);
  return missing === undefined ? null : `no ${missing}`;
}

/** Starts `command` on a new terminal. */
export function startTypedShell(
  command: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): TypedShell {
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  let seen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen += text;
  });
  const exited = once(child, 'exit');
  return {
    async type(keys, until) {
      seen = '';
      child.stdin.write(keys);
      const endMs = performance.now() + 20_000;
      while (!until.test(seen)) {
        if (performance.now() > endMs)
          throw new Error(`${String(until)} did not come:\n${JSON.stringify(seen)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return seen;
    },
    async [Symbol.asyncDispose]() {
      // A command that ended by itself leaves no process group to signal.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await exited;
    },
  };
}
