import { expect, test } from 'vitest';
import { ArchiveFiles } from '../../../src/io/archive/archive-files.ts';
import { readTar } from '../../../src/io/archive/read-tar.ts';
import { packTar } from '../../helpers/tar.ts';

test('ArchiveFiles lists the files of an archive in their folders, up to the root', () => {
  const files = new ArchiveFiles(readTar(packTar([{ path: 'a/b.rs', data: Buffer.alloc(1) }])), '/top');
  expect(files.list('/top/a')).toEqual([{ name: 'b.rs', kind: 'file' }]);
  expect(files.list('/')).toEqual([{ name: 'top', kind: 'directory' }]);
  expect(files.list('/other')).toBeNull();
});
