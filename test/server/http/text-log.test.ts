import { expect, it } from 'vitest';
import { makeSecret } from '../../../src/server/auth/tokens.ts';
import type { LogEntry } from '../../../src/server/http/line-log.ts';
import { type LogPart, textLines } from '../../../src/server/http/text-log.ts';

const AT = new Date(2026, 0, 2, 3, 4, 5).getTime();
const REQUEST = {
  ...{ id: 'a1', method: 'GET', path: '/crates/mug', status: 200, ms: 6.27 },
  ...{ address: '192.0.2.7', user: null },
};
const unpainted = (_part: LogPart, text: string): string => text;

function lines(
  event: string,
  values: LogEntry['values'] = {},
  { level = 'info', isVerbose = false }: { level?: LogEntry['level']; isVerbose?: boolean } = {},
): string {
  return textLines({ atMs: AT, level, event, values }, { isVerbose, paint: unpainted });
}

it('writes the local time, the level and the event as words', () => {
  expect(lines('stopped')).toBe('03:04:05 info    stopped\n');
  expect(lines('sign-in-refused', { address: '192.0.2.7' }, { level: 'warning' })).toBe(
    '03:04:05 warning sign in refused: address 192.0.2.7\n',
  );
});

it('writes the reason first, the other values behind it, and help on a line below', () => {
  const values = {
    part: 'index',
    reason: 'no response',
    pauseMs: 500,
    help: 'check the address',
    user: null,
  };
  expect(lines('upstream-away', values, { level: 'warning' })).toBe(
    '03:04:05 warning upstream away: no response (part index, pauseMs 500)\n' +
      '                 help: check the address\n',
  );
});

it('writes requests only if it is verbose', () => {
  expect(lines('request', REQUEST)).toBe('');
  expect(lines('request', REQUEST, { isVerbose: true })).toBe(
    '03:04:05 info    GET /crates/mug 200 6 ms 192.0.2.7\n',
  );
});

it('names the user of a request instead of the address', () => {
  expect(lines('request', { ...REQUEST, user: 'alice' }, { isVerbose: true })).toBe(
    '03:04:05 info    GET /crates/mug 200 6 ms alice\n',
  );
});

it('writes ids, checksums and stack traces only if it is verbose', () => {
  const values = { id: 'a1', reason: 'broken', stack: 'Error: broken\n    at f (a.ts:1)' };
  expect(lines('page-failed', values, { level: 'error' })).toBe('03:04:05 error   page failed: broken\n');
  expect(lines('page-failed', values, { level: 'error', isVerbose: true })).toBe(
    '03:04:05 error   page failed: broken (id a1)\n' +
      '                 Error: broken\n' +
      '                     at f (a.ts:1)\n',
  );
  expect(lines('published', { id: 'a1', crate: 'mug', version: '1.0.0', checksum: 'ab' })).toBe(
    '03:04:05 info    published: crate mug, version 1.0.0\n',
  );
});

it('escapes control characters, so that a value is neither a line nor a color', () => {
  const hostile = 'x\n03:04:05 info    stopped\r\u001b[31m\u202e';
  const escaped = String.raw`x\n03:04:05 info    stopped\r\u{1b}[31m\u{202e}`;
  expect(lines('request', { ...REQUEST, path: hostile }, { isVerbose: true })).toContain(
    `GET ${escaped} 200`,
  );
  expect(lines('bad', { reason: hostile })).toBe(`03:04:05 info    bad: ${escaped}\n`);
  expect(lines('bad', { crate: hostile })).toBe(`03:04:05 info    bad: crate ${escaped}\n`);
  expect(lines('bad', { help: hostile })).toContain(`help: ${escaped}\n`);
  expect(lines('bad', { stack: hostile }, { isVerbose: true })).toContain(
    `\n                 03:04:05 info    stopped${String.raw`\r\u{1b}[31m\u{202e}`}\n`,
  );
});

it('shortens long values, and tokens to their prefix', () => {
  const { secret, prefix } = makeSecret();
  const padding = 'p'.repeat(280);
  const line = lines('bad', { reason: `${padding}${secret}${'x'.repeat(10_000)}` });
  expect(line).toContain(`${padding}${prefix}…`);
  expect(line).not.toContain(secret.slice(0, prefix.length + 4));
  expect(line.length).toBeLessThan(400);
});

it('colors the time, the level, and the status of a failed request', () => {
  const paint = (part: LogPart, text: string): string => `<${part}>${text}</>`;
  const painted = (status: number): string =>
    textLines(
      { atMs: AT, level: 'info', event: 'request', values: { ...REQUEST, status } },
      { isVerbose: true, paint },
    );
  expect(painted(200)).toBe('<time>03:04:05</> <info>info</>    GET /crates/mug 200 6 ms 192.0.2.7\n');
  expect(painted(404)).toContain(' <warning>404</> ');
  expect(painted(503)).toContain(' <error>503</> ');
});
