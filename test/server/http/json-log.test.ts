import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { jsonLine } from '../../../src/server/http/json-log.ts';
import { LineLog } from '../../../src/server/http/line-log.ts';
import { makeSecret } from '../../../src/server/auth/tokens.ts';

const clock = { now: () => Date.parse('2026-01-02T03:04:05.678Z') };

it('writes one line per event, and all events of a tick at once', async () => {
  const written: string[] = [];
  const log = new LineLog({ clock, format: jsonLine, write: (lines) => written.push(lines), isQuiet: false });
  log.info('request', { path: '/a\nb', status: 200 });
  log.error('bad', { reason: null });
  expect(written).toEqual([]);
  await turn();
  expect(written).toEqual([
    '{"time":"2026-01-02T03:04:05.678Z","level":"info","event":"request","path":"/a\\nb","status":200}\n' +
      '{"time":"2026-01-02T03:04:05.678Z","level":"error","event":"bad","reason":null}\n',
  ]);
});

it('writes warnings but no info events in quiet mode', () => {
  const written: string[] = [];
  const log = new LineLog({ clock, format: jsonLine, write: (lines) => written.push(lines), isQuiet: true });
  log.info('request');
  log.warning('slow');
  log.flush();
  expect(written.join('')).toContain('"event":"slow"');
  expect(written.join('')).not.toContain('request');
});

it('shortens tokens in all values to their prefix', () => {
  const { secret, prefix } = makeSecret();
  const written: string[] = [];
  const log = new LineLog({ clock, format: jsonLine, write: (lines) => written.push(lines), isQuiet: false });
  log.info('request', { path: `/crates/${secret}/x`, status: 404 });
  log.error('request-failed', { reason: `no ${secret}` });
  log.flush();
  expect(written.join('')).not.toContain(secret);
  expect(written.join('')).toContain(`"path":"/crates/${prefix}…/x","status":404`);
  expect(written.join('')).toContain(`"reason":"no ${prefix}…"`);
});
