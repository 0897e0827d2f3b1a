import { expect, test } from 'vitest';
import { makePackageId, type PackageId } from '../../../src/core/package-id/package-id.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { addedPackageNotes } from '../../../src/core/resolve/added-packages.ts';
import { parseVersion } from '../../../src/core/version/version.ts';

const sources = new SourceTable();
const cratesIo = (name: string, version: string): PackageId =>
  makePackageId(name, parseVersion(version), sources.cratesIo());
const at = (folder: string, name: string, version: string): PackageId =>
  makePackageId(name, parseVersion(version), sources.forPath(folder));

const root = at('/ws/p', 'p', '0.1.0');
const note = (name: string, rest: string): string =>
  `package \`${name}\` added to the packaged Cargo.lock file${rest}`;

test.each<[string, PackageId[], PackageId[], string[]]>([
  ['nothing of what was there before', [cratesIo('aa', '1.0.0')], [cratesIo('aa', '1.0.0')], []],
  ['nothing of what is gone', [cratesIo('aa', '1.0.0')], [], []],
  ['nothing of the package itself', [], [at('/other', 'p', '0.1.0')], []],
  [
    'what is new',
    [],
    [cratesIo('bb', '1.0.0'), cratesIo('aa', '1.0.0')],
    [note('aa v1.0.0', ''), note('bb v1.0.0', '')],
  ],
  [
    'where it was',
    [at('/ws/aa', 'aa', '1.0.0'), cratesIo('aa', '2.0.0')],
    [cratesIo('aa', '1.0.0')],
    [note('aa v1.0.0', ', was originally sourced from `/ws/aa`')],
  ],
  [
    'all places where it was',
    [at('/ws/aa', 'aa', '1.0.0'), at('/ws/a2', 'aa', '1.0.0')],
    [cratesIo('aa', '1.0.0')],
    [note('aa v1.0.0', ', was originally sourced from one of these sources: `/ws/a2`, `/ws/aa`')],
  ],
  [
    'which version it was',
    [cratesIo('aa', '1.0.0'), cratesIo('aa', '3.0.0')],
    [cratesIo('aa', '1.1.0'), cratesIo('aa', '3.0.0')],
    [note('aa v1.1.0', ', previous version was `1.0.0`')],
  ],
  [
    'which versions it was',
    [cratesIo('aa', '1.10.0'), cratesIo('aa', '1.9.0')],
    [cratesIo('aa', '2.0.0')],
    [note('aa v2.0.0', ', previous versions were: `1.9.0`, `1.10.0`')],
  ],
])('reports %s', (_, before, after, notes) => {
  expect(addedPackageNotes({ before, after: [...after, root], root })).toEqual(notes);
});
