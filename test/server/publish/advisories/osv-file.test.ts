import { expect, it } from 'vitest';
import { parseVersion } from '../../../../src/core/version/version.ts';
import { parseOsvFile } from '../../../../src/server/publish/advisories/osv-file.ts';

const PACKAGE = { ecosystem: 'crates.io', name: 'hyper' };

function parse(document: object): ReturnType<typeof parseOsvFile> {
  return parseOsvFile(JSON.stringify({ id: 'GHSA-5h46-h7hh-c6x9', summary: 'Smuggling', ...document }));
}

function affected(part: object, versions: readonly string[]): readonly string[] {
  const [advisory] = parse({ affected: [{ package: PACKAGE, ...part }] });
  return versions.filter((version) => advisory?.affects(parseVersion(version)));
}

const range = (...events: readonly object[]): object => ({ ranges: [{ type: 'SEMVER', events }] });

it('reads the facts of an advisory of GitHub', () => {
  const events = [{ introduced: '0' }, { fixed: '0.14.10' }];
  const document = {
    ...{ aliases: ['CVE-2021-32714', 'RUSTSEC-2021-0079'], database_specific: { severity: 'MODERATE' } },
    affected: [{ package: PACKAGE, ranges: [{ type: 'ECOSYSTEM', events }] }],
  };
  expect(parse(document)).toMatchObject([
    {
      ...{ id: 'GHSA-5h46-h7hh-c6x9', crate: 'hyper', title: 'Smuggling', kind: 'vulnerability' },
      ...{ severity: 'medium', patched: ['>=0.14.10'], aliases: ['CVE-2021-32714', 'RUSTSEC-2021-0079'] },
      url: 'https://github.com/advisories/GHSA-5h46-h7hh-c6x9',
    },
  ]);
});

it('reads the kind, the vector and the page in the export of RustSec', () => {
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  const base = { id: 'ACME-2026-0001', references: [{ type: 'WEB', url: 'https://acme.example/1' }] };
  const part = { package: PACKAGE, ...range({ introduced: '0' }) };
  expect(parse({ ...base, severity: [{ score: vector }], affected: [part] })).toMatchObject([
    { severity: 'critical', url: 'https://acme.example/1', patched: [] },
  ]);
  const database_specific = { informational: 'unmaintained', cvss: null };
  expect(parse({ ...base, affected: [{ ...part, database_specific }] })).toMatchObject([
    { kind: 'unmaintained', severity: null },
  ]);
});

it('affects the versions in its ranges', () => {
  const all = ['0.1.0', '0.9.0-rc.1', '0.9.0', '0.14.10-alpha', '0.14.10', '1.0.0', '1.0.1', '1.1.0'];
  const two = range(
    { introduced: '1.0.0' },
    { fixed: '1.0.1' },
    { introduced: '0.9.0' },
    { fixed: '0.14.10' },
  );
  expect(affected(two, all)).toEqual(['0.9.0', '0.14.10-alpha', '1.0.0']);
  expect(affected(range({ introduced: '0' }, { last_affected: '0.9.0' }), all)).toEqual(all.slice(0, 3));
  expect(affected(range({ introduced: '0.0.0-0' }), all)).toEqual(all);
  expect(affected(range({ introduced: '0.9' }, { fixed: '1' }), all)).toEqual(all.slice(2, 5));
  expect(affected({ versions: ['1.0.0'] }, all)).toEqual(['1.0.0']);
  expect(affected({}, all)).toEqual([]);
});

it('has one advisory for each crate, and none for packages of other registries', () => {
  const other = { package: { ecosystem: 'npm', name: 'hyper' }, ...range({ introduced: '0' }) };
  const second = { package: { ...PACKAGE, name: 'h2' }, ...range({ introduced: '0' }) };
  const again = { package: PACKAGE, ...range({ introduced: '2.0.0' }, { fixed: '2.0.1' }) };
  const first = { package: PACKAGE, ...range({ introduced: '1.0.0' }, { fixed: '1.0.1' }) };
  expect(parse({ affected: [first, other, second, again] })).toMatchObject([
    { crate: 'hyper', patched: ['>=1.0.1', '>=2.0.1'] },
    { crate: 'h2' },
  ]);
});

it('has a title, also without a summary', () => {
  const part = { affected: [{ package: PACKAGE, ...range({ introduced: '0' }) }], summary: undefined };
  expect(parse({ ...part, details: '\n\nFirst.\nSecond.' })).toMatchObject([{ title: 'First.' }]);
  expect(parse({ ...part, details: ' \n' })).toMatchObject([{ title: 'GHSA-5h46-h7hh-c6x9' }]);
});

it('leaves out a withdrawn advisory', () => {
  const part = { package: PACKAGE, ...range({ introduced: '0' }) };
  expect(parse({ withdrawn: '2022-01-01T00:00:00Z', affected: [part] })).toEqual([]);
});

it.each([
  '',
  '[]',
  '{}',
  '{"id":"<b>"}',
  JSON.stringify({ id: 'A-1', affected: [{ package: { ...PACKAGE, name: '../x' } }] }),
  JSON.stringify({ id: 'A-1', affected: [{ package: PACKAGE, ...range({ introduced: 'x' }) }] }),
])('refuses %s', (text) => {
  expect(() => parseOsvFile(text)).toThrow();
});
