import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { tsregProgram } from '../helpers/program.ts';
import { serveEnv, serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { RECORDS_ARE_ELSEWHERE } from '../helpers/test-location.ts';
import { FOLDER_IS_ELSEWHERE } from '../helpers/test-storage.ts';
import { missingForTyping, startTypedShell, type TypedShell } from '../helpers/typed-shell.ts';

const temp = makeTempDir('serve-start-text');
afterAll(() => temp.remove());

const CTRL_C = '\u0003';
/** The last paragraph of the text, or the first line of the log. */
const END = /--base-url\.\r\n\r\n|started[^\n]*\n/;
const STARTED = /started:[^\n]*\n/;
const STYLES = /\u001b\[\d+m/g;
/** Its clocks are three quarters of an hour away from those of time zones with whole hours. */
const TIME_ZONE = 'Asia/Kathmandu';
const needsTerminal = missingForTyping() !== null;
/** True if the registry is not only in its folder. */
const isElsewhere = FOLDER_IS_ELSEWHERE !== null || RECORDS_ARE_ELSEWHERE !== null;

/** Starts a server on a terminal of 80 columns, or of another number. `pipe` is the end of a shell command. */
async function serveOnTerminal(
  flags: readonly string[],
  more: Readonly<Record<string, string>> = {},
  { pipe = '', columns = 80 }: { readonly pipe?: string; readonly columns?: number } = {},
): Promise<TypedShell> {
  const args = ['serve', '--listen', '127.0.0.1:0', ...flags];
  const words = [...tsregProgram().command, ...args].map((word) => `'${word}'`).join(' ');
  return startTypedShell(`stty cols ${columns}; ${words}${pipe}`, {
    cwd: temp.path,
    env: {
      ...{ PATH: process.env['PATH'] ?? '', HOME: temp.path, SHELL: '/bin/sh', TMPDIR: temp.path },
      ...{ TZ: TIME_ZONE, ...(await serveEnv(args)), ...more },
    },
  });
}

/** Returns lines without styles. */
const linesOf = (text: string): readonly string[] => text.replaceAll(STYLES, '').split('\r\n');

/** Asserts that a text has `parts` in this order. */
function expectInOrder(text: string, parts: readonly string[]): void {
  let end = 0;
  for (const part of parts) {
    const start = text.indexOf(part, end);
    expect(start, `${part} in ${text.slice(end)}`).not.toBe(-1);
    end = start + part.length;
  }
}

describe.skipIf(needsTerminal)('the start text on a terminal (needs `script` on Linux)', () => {
  it.skipIf(isElsewhere)(
    'leads from the pages to the first token, within 24 lines of 80 columns (needs a registry in a folder)',
    async () => {
      const folder = path.join(temp.path, 'a new registry');
      await using shell = await serveOnTerminal(['--data', folder, '--auth-required']);
      const text = await shell.type('', END);
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? '';
      expectInOrder(linesOf(text).join('\n'), [
        `Web pages    ${url}/\n`,
        `Data folder  ${folder}\n`,
        `    [registries.mine]\n    index = "sparse+${url}/index/"\n    credential-provider = ["cargo:token"]\n`,
        `    tsreg serve user LOGIN --admin --password \\\n        --data '${folder}'\n`,
        `Sign in at ${url}/sign-in\nCreate a token at ${url}/me`,
        `    tsreg serve token --user LOGIN`,
        'Only this machine can reach the registry.',
      ]);
      const lines = linesOf(text.slice(0, text.indexOf('--base-url.')));
      expect(lines.length).toBeLessThanOrEqual(24);
      for (const line of lines.filter((other) => !other.includes(folder)))
        expect(line.length, line).toBeLessThanOrEqual(80);
    },
  );

  it('explains the first admin only while there is no user, and uses the name of the registry', async () => {
    const folder = path.join(temp.path, 'used');
    {
      await using registry = await serveRegistry(folder);
      await registry.token('alice');
      await registry.stop();
    }
    await using shell = await serveOnTerminal(['--data', folder, '--registry-name', 'acme']);
    const text = await shell.type('', END);
    expect(text).toContain('[registries.acme]');
    expect(text).not.toContain('first admin');
    expect(text).toContain('serve token --user LOGIN');
  });

  it('is there on a terminal that reports no columns, as is the log for a person', async () => {
    const folder = path.join(temp.path, 'no columns');
    await using shell = await serveOnTerminal(['--data', folder], {}, { columns: 0 });
    const text = await shell.type('', END);
    expect(text).toContain('Web pages');
    expect(text).not.toContain('{"time"');
  });

  it('says nothing about the reach of a public address', async () => {
    const folder = path.join(temp.path, 'public');
    await using shell = await serveOnTerminal(['--data', folder, '--base-url', 'https://crates.example']);
    const text = await shell.type('', STARTED);
    expect(text).toContain('https://crates.example/sign-in');
    expect(text).not.toContain('Only this machine');
  });
});

describe.skipIf(needsTerminal)('the log on a terminal (needs `script` on Linux)', () => {
  it('has the local time, words, and a line for each request with `-v`', async () => {
    await using shell = await serveOnTerminal(['--data', path.join(temp.path, 'verbose'), '-v'], {
      TERM: 'xterm-256color',
    });
    const start = await shell.type('', STARTED);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(start)?.[0] ?? '';
    expect(start).toContain('\u001b[92minfo\u001b[0m');
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: TIME_ZONE, timeStyle: 'short' });
    const minutes = [clock.format(Date.now())];
    const [answer, shown] = await Promise.all([fetch(`${url}/crates/no`), shell.type('', /GET[^\n]*\n/)]);
    minutes.push(clock.format(Date.now()));
    expect(answer.status).toBe(404);
    const line = linesOf(shown).find((text) => text.includes('GET')) ?? '';
    expect(line).toMatch(/^\d\d:\d\d:\d\d info {4}GET \/crates\/no 404 \d+ ms 127\.0\.0\.1$/);
    expect(minutes).toContain(line.slice(0, 5));
    expect(await shell.type(CTRL_C, /stopped/)).toContain('stopping');
  });

  it('omits requests without `-v`, and colors with `NO_COLOR`', async () => {
    await using shell = await serveOnTerminal(['--data', path.join(temp.path, 'terse')], {
      ...{ TERM: 'xterm-256color', NO_COLOR: '1' },
    });
    const start = await shell.type('', STARTED);
    await (await fetch(/http:\/\/127\.0\.0\.1:\d+/.exec(start)?.[0] ?? '')).text();
    const end = await shell.type(CTRL_C, /stopped/);
    expect(`${start}${end}`).not.toContain('GET');
    expect(`${start}${end}`).not.toContain('\u001b');
  });

  it('is in JSON with `--log-format json`', async () => {
    const folder = path.join(temp.path, 'json');
    await using shell = await serveOnTerminal(['--data', folder, '--log-format', 'json']);
    expect(await shell.type('', /\{"time":[^\n]*"event":"started"[^\n]*\n/)).toContain('Web pages');
  });

  it('names the demo login with its password, and removes the temporary folder', async () => {
    const env = { TSREG_DATABASE: '', TSREG_STORAGE: '' };
    await using shell = await serveOnTerminal(['--demo'], env);
    const text = linesOf(await shell.type('', STARTED)).join('\n');
    expect(text).toMatch(/\nas demo with the password (?:[\da-f]{4}-){3}[\da-f]{4}\n/);
    expect(text).not.toContain('first admin');
    expect(text).toContain('serve token --user demo');
    const folder = /Data folder {2}(\S+) \(removed at the end\)/.exec(text)?.[1] ?? '';
    expect(path.dirname(folder)).toBe(temp.path);
    expect(existsSync(folder)).toBe(true);
    await shell.type(CTRL_C, /stopped/);
    await expect.poll(() => existsSync(folder), { timeout: 5000 }).toBe(false);
  });
});

describe('the start text in a pipe', () => {
  it.skipIf(needsTerminal || isElsewhere)(
    'is one line for each address, also if the log is on a terminal (needs `script` on Linux, and a registry in a folder)',
    async () => {
      const folder = path.join(temp.path, 'pipe-and-terminal');
      await using shell = await serveOnTerminal(['--data', folder], {}, { pipe: ' | cat' });
      const text = await shell.type('', /data [^\n]*\n[^]*started:[^\n]*\n|started:[^]*data [^\n]*\n/);
      const [log, others] = [true, false].map((isLog) =>
        linesOf(text).filter((line) => /^\d\d:\d\d:\d\d /.test(line) === isLog),
      );
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? '';
      expect(others).toEqual([`url ${url}`, `index sparse+${url}/index/`, `data ${folder}`, '']);
      expect(log).toHaveLength(1);
    },
  );

  it('comes with a log in JSON, to which `-v` adds nothing', async () => {
    const folder = path.join(temp.path, 'pipe');
    await using registry = await serveRegistry(folder, ['-v']);
    await (await fetch(registry.url)).text();
    await registry.stop();
    const events = registry
      .log()
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(events).toMatchObject([
      { level: 'info', event: 'started', url: registry.url },
      { event: 'request', method: 'GET', path: '/', status: 200, user: null },
      { event: 'stopping' },
      { event: 'stopped' },
    ]);
  });

  it('comes with a log in text with `--log-format text`, without colors', async () => {
    await using registry = await serveRegistry(path.join(temp.path, 'pipe-text'), ['--log-format', 'text']);
    await registry.stop();
    expect(registry.log()).toMatch(/^\d\d:\d\d:\d\d info {4}started: address 127\.0\.0\.1:\d+, url http/);
    expect(registry.log()).toMatch(/\n\d\d:\d\d:\d\d info {4}stopped\n$/);
  });
});
