import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tsregProgram } from '../helpers/program.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { screenOf } from '../helpers/terminal-screen.ts';
import { missingForTyping } from '../helpers/typed-shell.ts';

const temp = makeTempDir('progress');
let server: RegistryServer;
let sandbox: Sandbox;

beforeAll(async () => {
  server = await startRegistryServer();
  const names = ['aaaa', 'bbbb', 'cccc'];
  sandbox = new Sandbox(
    {
      about: 'Packages from a registry that takes its time.',
      registries: { alt: { kind: 'sparse', faults: [{ kind: 'slow', delayMs: 900, path: 'dl/' }] } },
      crates: names.map((name) => ({ name, version: '1.0.0', registry: 'alt' })),
      files: {
        'Cargo.toml': `[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n${names
          .map((name) => `${name} = { version = "1", registry = "alt" }\n`)
          .join('')}`,
        'src/lib.rs': '',
      },
      runs: [],
    },
    path.join(temp.path, 'sandbox'),
    server,
  );
});

afterAll(async () => {
  sandbox.remove();
  await server.close();
  temp.remove();
});

/** Returns the output of a command on a terminal of 80 columns. */
async function shown(args: string, env: Readonly<Record<string, string>>): Promise<string> {
  sandbox.start();
  const command = tsregProgram()
    .command.map((word) => `'${word}'`)
    .join(' ');
  const child = spawn('script', ['-qfec', `stty cols 80; ${command} ${args}`, '/dev/null'], {
    cwd: sandbox.places.workspace,
    env: { PATH: process.env['PATH'] ?? '', CARGO_HOME: sandbox.places.home, TERM: 'xterm', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const part of child.stdout.setEncoding('utf8')) text += String(part);
  return text;
}

const missing = missingForTyping('stty');
const reason = missing === null ? '' : ` (${missing})`;

describe.skipIf(missing !== null)(`progress on a terminal${reason}`, () => {
  const BAR = /\] \d+\/\d+|\[=*>? *\]/;

  it.each<readonly [string, Record<string, string>]>([
    ['in colour', {}],
    ['without colours', { NO_COLOR: '1' }],
    ['with reports', { TERM_PROGRAM: 'WezTerm' }],
  ])('disappears at the end %s', async (_, env) => {
    const text = await shown('fetch', env);
    expect(text).toMatch(BAR);
    expect(screenOf(text).filter((line) => BAR.test(line))).toEqual([]);
    expect(screenOf(text)[0]).toMatch(/^ {4}Updating `alt` index$/);
    expect(screenOf(text).at(-1)).toMatch(/^ {2}Downloaded /);
    const reports = [...text.matchAll(/\x1b\]9;4;(\d+);\d+\x1b\\/g)].map(([, state]) => state);
    expect(reports.length > 0).toBe('TERM_PROGRAM' in env);
    if (reports.length > 0) expect(reports.at(-1)).toBe('0');
  });

  it('leaves the result on the last line', async () => {
    const screen = screenOf(await shown('metadata --format-version 1 | cut -c 1-20', {}));
    expect(screen.at(-1)).toBe('{"packages":[{"name"');
  });

  it.each<readonly [string, Record<string, string>]>([
    ['that can do nothing', { TERM: 'dumb' }],
    ['of a CI system', { CI: 'true' }],
    ['where nobody wants it', { CARGO_TERM_PROGRESS_WHEN: 'never' }],
  ])('is not shown on a terminal %s', async (_, env) => {
    expect(await shown('fetch', env)).not.toMatch(BAR);
  });
});
