import { describe, expect, it } from 'vitest';
import {
  checkIndexFile,
  crateNameOf,
  findLine,
  listLines,
  yankLines,
} from '../../../src/server/upstream/check-index-file.ts';

const SUM = 'a'.repeat(64);
const line = (more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ name: 'Foo', vers: '1.0.0', deps: [], cksum: SUM, ...more });
const check = (text: string | Buffer) => checkIndexFile(Buffer.from(text), 'foo');

describe('an index file', () => {
  it('is accepted unchanged if every line describes a version of the crate', () => {
    const text = `${line()}\n\n${line({ vers: '2.0.0-rc.1+b', v: 3, new: [] })}`;
    expect(check(text)).toEqual({ body: text });
    expect(crateNameOf(`\n${text}`)).toBe('Foo');
  });

  it.each([
    ['of another crate', line({ name: 'bar' }), 'line 2 belongs to another crate'],
    ['with another separator', line({ name: 'fo_o' }), 'line 2 belongs to another crate'],
    ['of no version', line({ vers: '1.0' }), 'line 2 does not describe a version'],
    ['of no checksum', line({ cksum: 'abc' }), 'line 2 does not describe a version'],
    ['cut off', line().slice(0, -9), 'line 2 does not describe a version'],
    ['that is none', '<html>', 'line 2 does not describe a version'],
    ['that is a list', '[]', 'line 2 does not describe a version'],
    ['that is null', 'null', 'line 2 does not describe a version'],
  ])('with a line %s is refused', (_, bad, problem) => {
    expect(check(`${line()}\n${bad}\n`)).toEqual({ problem });
  });

  it('is refused if it has no lines or is not UTF-8', () => {
    expect(check('\n')).toEqual({ problem: 'it has no lines' });
    expect(check(Buffer.from([0xff]))).toEqual({ problem: 'it is not UTF-8' });
  });
});

it('finds a version only by its own line', () => {
  const deps = [{ name: 'x', req: '1.1.0' }];
  const body = [
    line({ deps }),
    line({ vers: '1.1.0+x' }),
    line({ vers: '1.1.0', cksum: 'B'.repeat(64) }),
    line({ vers: '1.1.0-a' }),
  ].join('\n');
  expect(findLine(body, '1.1.0')).toMatchObject({ name: 'Foo', version: '1.1.0', checksum: 'b'.repeat(64) });
  expect(findLine(body, '1.1.0-a')?.version).toBe('1.1.0-a');
  expect(findLine(body, '1.2.0')).toBeNull();
  expect(findLine(body, '1.1')).toBeNull();
  expect(findLine('', '"')).toBeNull();
});

it('lists the facts of each line, and ignores those of an unexpected form', () => {
  const body = `${line({ yanked: true, pubtime: '2026-01-02T03:04:05Z', rust_version: '1.70' })}\n\n${line({ yanked: 1, pubtime: 'today', rust_version: '<b>' })}`;
  const [first, second, ...rest] = listLines(body);
  const publishedAtMs = Date.UTC(2026, 0, 2, 3, 4, 5);
  expect(first).toMatchObject({ isYanked: true, publishedAtMs, rustVersion: '1.70', start: 0 });
  const [withOffset] = listLines(line({ pubtime: '2026-01-02T04:04:05+01:00' }));
  expect(withOffset).toMatchObject({ publishedAtMs });
  expect(second).toMatchObject({ isYanked: false, publishedAtMs: null, rustVersion: null, end: body.length });
  expect(rest).toEqual([]);
});

it('yanks lines, and changes nothing else', () => {
  const odd = { features: { a: ['"yanked":false'] }, __odd: { yanked: false } };
  const other = line({ vers: '1.1.0' }).replace('{', '{ ');
  const body = `${line(odd)}\n\n${other}\r\n${line({ vers: '1.2.0', yanked: false })}`;
  expect(yankLines(body, () => false)).toBe(body);
  const yanked = yankLines(body, ({ version }) => version !== '1.1.0');
  const [first = '', empty, second, third = '', ...rest] = yanked.split('\n');
  expect(JSON.parse(first)).toEqual({ ...JSON.parse(line(odd)), yanked: true });
  expect([empty, second, rest]).toEqual(['', `${other}\r`, []]);
  expect(third).toBe(line({ vers: '1.2.0', yanked: true }));
});

it('keeps the texts of lines that are yanked already', () => {
  const body = `${line({ yanked: true }).replace('{', '{ ')}\n`;
  expect(yankLines(body, () => true)).toBe(body);
});
