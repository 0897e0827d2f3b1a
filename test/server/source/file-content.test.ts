import { expect, it } from 'vitest';
import { decodeContent } from '../../../src/server/source/file-content.ts';
import { PNG } from '../../helpers/source-crates.ts';

it('recognizes images by their content', () => {
  const starts = ['\xff\xd8\xff\xe0', 'GIF89a', 'RIFF\0\0\0\0WEBPVP8 '];
  const images = [PNG, ...starts.map((start) => Buffer.from(start, 'latin1'))];
  expect(images.map((bytes) => decodeContent(bytes))).toEqual(
    ['image/png', 'image/jpeg', 'image/gif', 'image/webp'].map((type) => ({ kind: 'image', type })),
  );
});

it('never treats SVG as an image', () => {
  expect(decodeContent(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')).kind).toBe('text');
});

it('treats everything that is not UTF-8 as binary', () => {
  expect(decodeContent(Buffer.from([0xe9, 0x74])).kind).toBe('binary');
  expect(decodeContent(Buffer.from('a\0b')).kind).toBe('binary');
  expect(decodeContent(Buffer.from('\ufeffété'))).toEqual({ kind: 'text', text: 'été' });
  expect(decodeContent(Buffer.alloc(0))).toEqual({ kind: 'text', text: '' });
});
