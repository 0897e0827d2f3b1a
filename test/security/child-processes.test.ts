import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { present } from '../../src/core/errors/assert.ts';
import { pathOfProgram, runProgram as runChild, startProgram } from '../../src/io/programs/run-program.ts';
import { isStandalone, runProgram, tsregProgram } from '../helpers/program.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const RUNS = 20;

describe('a command without rustc and with a CARGO_HOME that cannot be created', () => {
  const temp = makeTempDir('child-processes');
  const inFolder = (file: string): string => path.join(temp.path, file);
  /** `CARGO_HOME` cannot be created because its parent is a file. */
  const env = { PATH: inFolder('empty'), CARGO_HOME: inFolder('file/home'), HOME: inFolder('file') };
  beforeAll(() => {
    mkdirSync(inFolder('empty'));
    mkdirSync(inFolder('src'));
    writeFileSync(inFolder('file'), '');
    writeFileSync(inFolder('src/lib.rs'), '');
    writeFileSync(
      inFolder('Cargo.toml'),
      '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\na = "1"\n',
    );
  });
  afterAll(() => temp.remove());

  it.skipIf(onWindows)(
    'sends no signal to its own process group (not on Windows: it has no process groups)',
    async () => {
      const [file, ...args] = tsregProgram().command;
      const words = [file, ...args, 'metadata', '--format-version', '1'].map((word) => `'${word}'`).join(' ');
      const script = `i=0; while [ $i -lt ${RUNS} ]; do ${words} >/dev/null 2>&1; i=$((i+1)); done; echo all`;
      // A new process group: the shell, the commands, and a `sleep` that has to survive.
      const shell = spawn('/bin/sh', ['-c', `/bin/sleep 600 & ${script}; kill $! && echo alive`], {
        ...{ cwd: temp.path, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] },
      });
      let output = '';
      shell.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
      const signal = await new Promise((resolve) => shell.once('close', (_status, name) => resolve(name)));
      expect([signal, output]).toEqual([null, 'all\nalive\n']);
    },
  );

  // The process id of a program that failed to start is arbitrary, so this test records the call itself.
  it.skipIf(isStandalone)(
    'sends no signal to a program that failed to start (not standalone: patches a module of Node)',
    async () => {
      const watch = inFolder('watch.cjs');
      const log = inFolder('signalled');
      writeFileSync(
        watch,
        `const { ChildProcess } = require('node:child_process');
const { kill } = ChildProcess.prototype;
ChildProcess.prototype.kill = function (signal) {
  if (this.pid === undefined) require('node:fs').appendFileSync(${JSON.stringify(log)}, signal + '\\n');
  else kill.call(this, signal);
};\n`,
      );
      const { status, stderr } = await runProgram(tsregProgram(), ['metadata', '--format-version', '1'], {
        ...{ cwd: temp.path, env: { ...env, NODE_OPTIONS: `--require "${watch.replaceAll('\\', '/')}"` } },
      });
      expect(stderr).toContain('failed to acquire package cache lock');
      expect(status).toBe(101);
      expect(existsSync(log)).toBe(false);
    },
  );
});

describe('a child process', () => {
  const temp = makeTempDir('child-process');
  afterAll(() => temp.remove());
  const env = process.env;
  const node = process.execPath;

  it('allows `end` and `kill` after it failed to start', async () => {
    const program = await startProgram('/no/such/program', [], { env });
    program.end('SIGKILL');
    program.kill('SIGTERM');
    await expect(program.closed).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('rejects with the abort reason when its signal is aborted', async () => {
    const controller = new AbortController();
    const running = runChild(node, ['-e', 'setInterval(() => {}, 1000)'], {
      ...{ env, signal: controller.signal, maxBytes: 10 },
    });
    void setTimeout(100).then(() => controller.abort(new Error('enough')));
    await expect(running).rejects.toThrow('enough');
  });

  it.skipIf(onWindows)(
    'is killed if it ignores SIGTERM after an abort (not on Windows: it has no such signal)',
    async () => {
      const controller = new AbortController();
      const script = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log(process.pid)';
      const { stdout, closed } = await startProgram(node, ['-e', script], { env, signal: controller.signal });
      const [pid] = await once(present(stdout, 'a pipe'), 'data');
      controller.abort(new Error('enough'));
      await expect(closed).rejects.toThrow('enough');
      await vi.waitFor(() => expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH'));
    },
  );

  it.skipIf(onWindows)(
    'has time to end after an abort, and is awaited (not on Windows: it has no such signal)',
    async () => {
      const controller = new AbortController();
      const file = path.join(temp.path, 'ended');
      const end = `process.on("SIGTERM", () => setTimeout(() => { fs.writeFileSync(${JSON.stringify(file)}, ""); process.exit(); }, 200));`;
      const script = `const fs = require("node:fs"); ${end} setInterval(() => {}, 1000); console.log("ready")`;
      const { stdout, closed } = await startProgram(node, ['-e', script], { env, signal: controller.signal });
      await once(present(stdout, 'a pipe'), 'data');
      controller.abort(new Error('enough'));
      await expect(closed).rejects.toThrow('enough');
      expect(existsSync(file)).toBe(true);
    },
  );

  it('rejects with the abort reason if its signal was aborted before', async () => {
    const signal = AbortSignal.abort(new Error('before'));
    await expect(runChild(node, ['-e', ''], { env, signal, maxBytes: 10 })).rejects.toThrow('before');
  });

  it('is killed if it exceeds its output limit or its timeout', async () => {
    const endless = 'setInterval(() => process.stdout.write("x".repeat(1000)), 1)';
    const killed = { status: null, signal: 'SIGKILL' };
    expect(await runChild(node, ['-e', endless], { env, maxBytes: 5000 })).toMatchObject({
      ...{ ...killed, wroteTooMuch: true },
    });
    const idle = 'setInterval(() => {}, 1000)';
    expect(await runChild(node, ['-e', idle], { env, maxBytes: 10, timeoutMs: 200 })).toMatchObject({
      ...{ ...killed, wroteTooMuch: false },
    });
  });
});

describe('pathOfProgram on Windows', () => {
  const there = new Set([
    'C:\\git\\git.exe',
    'git.exe',
    '.\\git.exe',
    'D:\\tools\\git.cmd',
    'D:\\tools\\x.y.exe',
  ]);
  const find = (name: string, searched: string): string | null =>
    pathOfProgram(name, { Path: searched }, (each) => there.has(each));

  it('searches only the absolute folders of PATH', () => {
    expect(find('git', '.;;tools;"D:\\tools";C:\\git')).toBe('C:\\git\\git.exe');
    expect(find('git.exe', 'C:\\git')).toBe('C:\\git\\git.exe');
    expect(find('x.y', 'D:\\tools')).toBe('D:\\tools\\x.y.exe');
    expect(find('git', '.;;tools;D:\\tools')).toBe(null);
    expect(find('git', '')).toBe(null);
  });

  it('returns paths unchanged', () => {
    for (const name of ['.\\git', 'bin/git', 'C:git', 'C:\\x\\git.exe'])
      expect(find(name, 'C:\\git')).toBe(name);
  });
});
