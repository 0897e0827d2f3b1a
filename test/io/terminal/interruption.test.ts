import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { projectRoot } from '../../helpers/project-root.ts';
import { onWindows } from '../../helpers/system.ts';

test.skipIf(onWindows)(
  'an error that an interruption causes is not reported (not on Windows, which has no signals)',
  async () => {
    const args = ['scripts/run-ts.mjs', 'test/io/terminal/interrupted-process.ts'];
    const child = spawn(process.execPath, args, { cwd: projectRoot, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const signal = await new Promise((resolve) => child.once('close', (_, name) => resolve(name)));
    expect({ signal, stderr }).toEqual({ signal: 'SIGINT', stderr: '' });
  },
);
