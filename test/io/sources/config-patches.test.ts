import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import type { Patch } from '../../../src/core/manifest/manifest.ts';
import { addConfigPatches } from '../../../src/io/sources/config-patches.ts';
import { makeSourceContext, messagesOf } from '../../helpers/source-context.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { writeTree } from '../../helpers/tree.ts';

let root: string;
beforeEach(() => {
  const temp = makeTempDir('config-patches');
  root = temp.path;
  return () => temp.remove();
});

function read(config: string, manifest = ''): { patches: readonly Patch[]; lines: string[] } {
  writeTree(join(root, 'ws'), {
    '.cargo/config.toml': config,
    'Cargo.toml': `[package]\nname = "p"\nversion = "0.1.0"\n${manifest}`,
    'src/lib.rs': '',
  });
  const { context, lines } = makeSourceContext({ cwd: join(root, 'ws'), home: join(root, 'home') });
  const path = join(root, 'ws/Cargo.toml');
  const loaded = context.load(path, context.sources.forPath(join(root, 'ws')));
  return { patches: addConfigPatches(loaded.patches, join(root, 'ws'), context), lines };
}

const urlOf = (path: string): string => pathToFileURL(path).href;
const shown = ({ source, dependency, definedIn }: Patch): string =>
  `${source.url} ${dependency.nameInToml} ${dependency.source.url.replace(urlOf(root), 'file://')} ${definedIn.replace(root, '').replaceAll('\\', '/')}`;

test('an entry of the configuration replaces the same entry of the manifest and comes first', () => {
  const { patches } = read(
    '[patch.crates-io]\nb = { path = "../b" }\n',
    '[patch.crates-io]\na = { path = "../a" }\nb = { path = "../x" }\n',
  );
  expect(patches.map(shown)).toEqual([
    'https://github.com/rust-lang/crates.io-index b file:///b /ws/.cargo/config.toml',
    'https://github.com/rust-lang/crates.io-index a file:///a /ws/Cargo.toml',
  ]);
});

test('an entry is read as in a manifest, with paths relative to the folder with `.cargo`', () => {
  const { patches, lines } = read(
    '[patch."https://example.invalid/index"]\n' +
      'c = { git = "https://example.invalid/c", branch = "x", package = "cc", version = "1.0.0+meta" }\n' +
      'd = { path = "d", features = ["f"], default-features = false, unknown = 1 }\n',
  );
  expect(patches.map(({ source }) => source.url)).toEqual([
    'https://example.invalid/index',
    'https://example.invalid/index',
  ]);
  const [c, d] = patches.map(({ dependency }) => dependency);
  expect(c).toMatchObject({
    name: 'cc',
    nameInToml: 'c',
    source: { reference: { kind: 'branch', name: 'x' } },
  });
  expect(d).toMatchObject({ features: ['f'], defaultFeatures: false });
  expect(d?.source.url).toBe(urlOf(join(root, 'ws', 'd')));
  expect(lines).toEqual([
    'warning: [patch] in cargo config: version requirement `1.0.0+meta` for dependency `c` includes semver ' +
      'metadata which will be ignored, removing the metadata is recommended to avoid confusion',
  ]);
});

test.each([
  ['[patch.nope]\na = { path = "a" }\n', '[patch] entry `nope` should be a URL or registry name'],
  [
    '[patch]\ncrates-io = 3\n',
    /^invalid configuration for key `patch\.crates-io`\nexpected a table, but found a integer/,
  ],
  [
    '[patch.crates-io]\na = { features = [] }\n',
    /^dependency \(a\) specified without providing a local path/,
  ],
])('refuses %j', (config, message) => {
  let messages: string[] = [];
  try {
    read(config);
  } catch (error) {
    messages = messagesOf(error);
  }
  expect(messages[0]).toMatch(message);
});
