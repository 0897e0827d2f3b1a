import { expect, test } from 'vitest';
import { findManifest, resolveManifestPath } from '../../../src/io/workspace/find-manifest.ts';
import { MemoryFiles } from '../../helpers/memory-files.ts';

const files = new MemoryFiles({
  '/w/Cargo.toml': '',
  '/w/a/b/': '',
  '/w/d/Cargo.toml/x': '',
  '/w/o.toml': '',
  '/w/x.rs': '',
  '/w/README': '',
  '/w/.hid': '',
  '/l/cargo.toml': '',
  '/l/m/': '',
});

test.each([
  ['/w', '/w/Cargo.toml'],
  ['/w/a/b', '/w/Cargo.toml'],
  ['/w/d', '/w/d/Cargo.toml'],
])('from %s, the nearest manifest is %s', (cwd, manifest) => {
  expect(findManifest(cwd, files)).toBe(manifest);
});

test('reports that there is no manifest, or that its name has the wrong case', () => {
  expect(() => findManifest('/x', files)).toThrow(
    expect.objectContaining({
      message: 'could not find `Cargo.toml` in `/x` or any parent directory',
      code: 'not-found',
    }),
  );
  expect(() => findManifest('/l/m', files)).toThrow(
    'could not find `Cargo.toml` in `/l/m` or any parent directory, but found cargo.toml please try to rename it to Cargo.toml',
  );
});

test.each([
  ['Cargo.toml', '/w', '/w/Cargo.toml'],
  ['../a/./../Cargo.toml', '/w/a', '/w/Cargo.toml'],
  ['/w//Cargo.toml', '/x', '/w/Cargo.toml'],
])('resolves the manifest path %s in %s to %s', (typed, cwd, path) => {
  expect(resolveManifestPath(typed, cwd, files)).toBe(path);
});

test.each([
  ['nope/Cargo.toml', 'manifest path `nope/Cargo.toml` does not exist'],
  ['.', 'manifest path `.` is a directory but expected a file\nhelp: /w/Cargo.toml exists'],
  ['a', 'manifest path `a` is a directory but expected a file'],
  ['./o.toml', 'the manifest-path must be a path to a Cargo.toml file: `/w/o.toml`'],
  ['x.rs', 'embedded manifest `/w/x.rs` requires `-Zscript`'],
  ['README', 'embedded manifest `/w/README` requires `-Zscript`'],
  ['.hid', 'embedded manifest `/w/.hid` requires `-Zscript`'],
])('refuses the manifest path %s', (typed, message) => {
  expect(() => resolveManifestPath(typed, '/w', files)).toThrow(expect.objectContaining({ message }));
});
