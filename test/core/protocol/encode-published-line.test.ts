import { describe, expect, it } from 'vitest';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { encodePublishedLine, yankedLine } from '../../../src/core/protocol/encode-published-line.ts';
import { decodeIndexLine } from '../../../src/core/protocol/index-line.ts';
import { decodePublishMetadata } from '../../../src/core/protocol/publish-metadata.ts';

const CHECKSUM = 'ab'.repeat(32);

function lineOf(sent: Readonly<Record<string, unknown>>): string {
  const metadata = decodePublishMetadata(Buffer.from(JSON.stringify({ name: 'a', vers: '1.0.0', ...sent })));
  return encodePublishedLine(metadata, { checksum: CHECKSUM, publishedAt: '2026-01-02T03:04:05Z' });
}

it('writes a dependency with its name in the manifest, and its real name as `package`', () => {
  const line = lineOf({
    deps: [
      { name: 'real', explicit_name_in_toml: 'alias', version_req: '^1', kind: 'build', target: 'cfg(unix)' },
    ],
    links: 'z',
    rust_version: '1.60',
  });
  expect(line).toBe(
    '{"name":"a","vers":"1.0.0","deps":[{"name":"alias","req":"^1","features":[],"optional":false,' +
      '"default_features":true,"target":"cfg(unix)","kind":"build","registry":null,"package":"real"}],' +
      `"cksum":"${CHECKSUM}","features":{},"yanked":false,"links":"z","rust_version":"1.60",` +
      '"pubtime":"2026-01-02T03:04:05Z","v":1}',
  );
  const sources = new SourceTable();
  const source = sources.forRegistryIndex('sparse+https://example.com/');
  const entry = decodeIndexLine(line, { original: source, actual: source }, sources);
  expect(entry?.kind === 'usable' && entry.summary).toMatchObject({
    dependencies: [{ name: 'real', nameInToml: 'alias', kind: 'build', renamed: true }],
    checksum: CHECKSUM,
    yanked: false,
  });
});

describe('features that old cargos cannot read', () => {
  it('are written to `features2`, with all features that enable them', () => {
    const features = { a: ['b'], b: ['c'], c: ['dep:x'], d: ['e?/f'], e: ['g/h'], f: [] };
    const line: Record<string, unknown> = JSON.parse(lineOf({ features }));
    expect(line['features']).toEqual({ e: ['g/h'], f: [] });
    expect(line['features2']).toEqual({ a: ['b'], b: ['c'], c: ['dep:x'], d: ['e?/f'] });
    expect(line['v']).toBe(2);
  });

  it('leave out `features2` if there are none', () => {
    const line: Record<string, unknown> = JSON.parse(lineOf({ features: { '2': [], '1': ['2'] } }));
    expect([line['features2'], line['v']]).toEqual([undefined, 1]);
    expect(lineOf({ features: { b: [], '2': [], a: [] } })).toContain('"features":{"2":[],"a":[],"b":[]}');
  });
});

it('yankedLine changes only the field `yanked`', () => {
  const line = lineOf({
    features: { yanked: ['"yanked":false'], '"yanked":false': [] },
    links: '"yanked":false',
  });
  const value: Record<string, unknown> = JSON.parse(line);
  expect(JSON.parse(yankedLine(line))).toEqual({ ...value, yanked: true });
});
