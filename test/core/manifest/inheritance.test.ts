import { describe, expect, it } from 'vitest';
import type { InheritanceRoot } from '../../../src/core/manifest/inheritable-fields.ts';
import { failureOf, PACKAGE, parsePackage, parseText } from './manifest-text.ts';

/** Returns a workspace root at `folder` whose `[workspace]` table is `text`. */
function rootOf(text: string, folder = '/'): InheritanceRoot {
  const { workspace } = parseText(`[workspace]\n${text}`);
  if (workspace.kind !== 'root') throw new Error('a root was expected');
  return { folder, config: workspace.config };
}

const ROOT = rootOf(`
[workspace.package]
version = "1.2.3"
edition = "2018"
rust-version = "1.40"
authors = ["a"]
description = "d"
homepage = "h"
documentation = "doc"
readme = "docs/R.md"
keywords = ["k"]
categories = ["c"]
license = "L"
license-file = "LF"
repository = "r"
publish = false
exclude = ["e"]
include = ["i"]
[workspace.dependencies]
s = { version = "1", features = ["x"], default-features = false }
t = "2"
u = { path = "up/../u", package = "uu", default-features = true }
v = { git = "https://a.b/c", default_features = false }
`);

const FIELDS = (
  'version edition rust-version authors description homepage documentation readme keywords categories ' +
  'license license-file repository publish exclude include'
).split(' ');

describe('inherited fields', () => {
  it('come from the root, with paths relative to the member', () => {
    const text = `[package]\nname = "p"\n${FIELDS.map((field) => `${field}.workspace = true\n`).join('')}`;
    expect(parsePackage(text, { inheritFrom: () => ROOT })).toMatchObject({
      summary: { id: { version: { text: '1.2.3' } } },
      edition: '2018',
      rustVersion: '1.40',
      authors: ['a'],
      description: 'd',
      homepage: 'h',
      documentation: 'doc',
      readme: '../docs/R.md',
      keywords: ['k'],
      categories: ['c'],
      license: 'L',
      licenseFile: '../LF',
      repository: 'r',
      publish: [],
      exclude: ['e'],
      include: ['i'],
    });
  });

  it('of a root package come from its own table', () => {
    const text =
      '[package]\nname = "p"\nreadme.workspace = true\n[workspace.package]\nreadme = "x/../R.md"\n';
    expect(parsePackage(text).readme).toBe('R.md');
  });

  it('use a readme file beside the root if the root names none', () => {
    const root = rootOf('package.version = "1.0.0"', '/p/..');
    const files = ['src/lib.rs'];
    const text = `${PACKAGE}readme.workspace = true\n`;
    expect(failureOf(text, { files, inheritFrom: () => root })).toContain(
      '`workspace.package.readme` was not defined',
    );
    const beside = rootOf('package.version = "1.0.0"', '/p/ws');
    expect(parsePackage(text, { files: [...files, 'ws/README'], inheritFrom: () => beside }).readme).toBe(
      'ws/README',
    );
  });

  it('load the root once, by `package.workspace`, and only if something is inherited', () => {
    const asked: (string | null)[] = [];
    const inheritFrom = (pointer: string | null): InheritanceRoot => {
      asked.push(pointer);
      return ROOT;
    };
    parsePackage(PACKAGE, { inheritFrom });
    expect(asked).toEqual([]);
    parsePackage(`${PACKAGE}workspace = "../r"\nlicense.workspace = true\nhomepage.workspace = true\n`, {
      inheritFrom,
    });
    expect(asked).toEqual(['../r']);
  });
});

describe('inherited dependencies', () => {
  const read = (entry: string, edition = '2021'): unknown =>
    parsePackage(`${PACKAGE.replace('2021', edition)}[dependencies]\n${entry}\n`, { inheritFrom: () => ROOT })
      .summary.dependencies[0];

  it.each([
    ['s.workspace = true', { req: { text: '^1' }, features: ['x'], defaultFeatures: false, optional: false }],
    [
      's = { workspace = true, features = ["x", "y"], optional = true }',
      { features: ['x', 'x', 'y'], optional: true },
    ],
    ['s = { workspace = true, default-features = true }', { defaultFeatures: true }],
    ['s = { workspace = true, default-features = false }', { defaultFeatures: false }],
    ['t = { workspace = true, default-features = false }', { req: { text: '^2' }, defaultFeatures: true }],
    [
      't = { workspace = true, features = ["q"], version = "9", unknown = 1 }',
      { req: { text: '^2' }, features: ['q'] },
    ],
    ['u.workspace = true', { name: 'uu', nameInToml: 'u', source: { url: 'file:///u' } }],
    ['v.workspace = true', { source: { kind: 'git', url: 'https://a.b/c' }, defaultFeatures: false }],
    ['v = { workspace = true, default-features = true }', { defaultFeatures: true }],
  ])('are merged with the table of the member: %s', (entry, expected) => {
    expect(read(entry)).toMatchObject(expected);
  });

  it.each([
    ['s = { workspace = true, default-features = true }', true],
    ['s.workspace = true', false],
    ['t = { workspace = true, default-features = false }', false],
    ['t = { workspace = true, default_features = false }', false],
    ['t.workspace = true', true],
  ])("follow the member's `default-features` since the 2024 edition: %s", (entry, defaultFeatures) => {
    expect(read(entry, '2024')).toMatchObject({ defaultFeatures });
  });

  it.each([
    ['t = "2"', 'not specified'],
    ['t = { version = "2", default-features = true }', 'true'],
  ])('warn before the 2024 edition that `default-features` is ignored: %s', (shared, setting) => {
    const text = `${PACKAGE}[dependencies]\nt = { workspace = true, default-features = false }\n[workspace.dependencies]\n${shared}\n`;
    expect(parsePackage(text).warnings).toEqual([
      `\`default-features\` is ignored for t, since \`default-features\` was ${setting} for \`workspace.dependencies.t\`; ` +
        'overriding workspace `default-features` to false requires Rust 1.99+ and the 2024 edition',
    ]);
  });
});
