import { expect, it } from 'vitest';
import { parseVersion } from '../../../../src/core/version/version.ts';
import { parseRustsecFile } from '../../../../src/server/publish/advisories/rustsec-file.ts';
import { rustsecFile, type RustsecDecl } from '../../../helpers/advisory-files.ts';

const DECL = { id: 'RUSTSEC-2021-0001', crate: 'mdbook' };

function affected(decl: Partial<RustsecDecl>, versions: readonly string[]): readonly string[] {
  const [advisory] = parseRustsecFile(rustsecFile({ ...DECL, ...decl }));
  return versions.filter((version) => advisory?.affects(parseVersion(version)));
}

it('reads the facts of an advisory', () => {
  const extra = `url = "https://elsewhere.invalid/"
cvss = "CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H"
aliases = ["CVE-2020-26297"]`;
  const decl = { ...DECL, title: 'XSS in  the search\u202e page', patched: ['>= 0.4.5', '^0.3.9'], extra };
  expect(parseRustsecFile(rustsecFile(decl))).toMatchObject([
    {
      ...{ id: 'RUSTSEC-2021-0001', crate: 'mdbook', kind: 'vulnerability', severity: 'high' },
      ...{ title: 'XSS in the search page', patched: ['>=0.4.5', '^0.3.9'], aliases: ['CVE-2020-26297'] },
      url: 'https://rustsec.org/advisories/RUSTSEC-2021-0001.html',
    },
  ]);
});

it.each([
  ['unmaintained', 'unmaintained'],
  ['unsound', 'unsound'],
  ['notice', 'notice'],
  ['something-new', 'notice'],
])('reads the informational kind `%s`', (informational, kind) => {
  const extra = `informational = "${informational}"\ncvss = "CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H"`;
  expect(parseRustsecFile(rustsecFile({ ...DECL, extra }))).toMatchObject([{ kind, severity: null }]);
});

it('has its ID as a title if its heading is empty', () => {
  expect(parseRustsecFile(rustsecFile({ ...DECL, title: ' \u200b' }))).toMatchObject([{ title: DECL.id }]);
});

it('affects the versions that no requirement names', () => {
  const decl = { patched: ['>=1.2.3', '^0.9.5'], unaffected: ['<0.9.0'] };
  const all = ['0.8.9', '0.9.0', '0.9.4', '0.9.5', '0.10.0', '1.2.2', '1.2.3', '2.0.0'];
  expect(affected(decl, all)).toEqual(['0.9.0', '0.9.4', '0.10.0', '1.2.2']);
  expect(affected({}, ['0.0.1', '9.0.0-rc.1'])).toEqual(['0.0.1', '9.0.0-rc.1']);
});

it('places pre-releases by their order', () => {
  const all = ['1.0.0-alpha', '1.2.3-alpha', '1.3.0-alpha', '2.0.0-0', '1.2.3+build'];
  expect(affected({ patched: ['>=1.2.3'] }, all)).toEqual(['1.0.0-alpha', '1.2.3-alpha']);
  expect(affected({ patched: ['>=1.2.3'], unaffected: ['<1.1.0'] }, all)).toEqual(['1.2.3-alpha']);
});

it('leaves out a withdrawn advisory', () => {
  expect(parseRustsecFile(rustsecFile({ ...DECL, extra: 'withdrawn = "2022-01-01"' }))).toEqual([]);
});

it.each([
  '',
  '# Only text',
  '```toml\n[advisory]\n',
  '```toml\n[advisory\n```\n',
  '```toml\n[advisory]\nid = "RUSTSEC-2021-0001"\n```\n',
  rustsecFile({ ...DECL, crate: '../x' }),
  rustsecFile({ ...DECL, id: '<b>' }),
  rustsecFile({ ...DECL, patched: ['not a version'] }),
  rustsecFile(DECL).replace('patched = []', 'patched = ">=1"'),
])('refuses %j', (text) => {
  expect(() => parseRustsecFile(text)).toThrow();
});
