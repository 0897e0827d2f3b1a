import { describe, expect, it } from 'vitest';
import { PACKAGE, parsePackage, parseText } from './manifest-text.ts';

describe('package fields', () => {
  it('have defaults', () => {
    expect(parsePackage('[package]\nname = "p"\n')).toMatchObject({
      kind: 'package',
      path: '/p/Cargo.toml',
      edition: '2015',
      resolver: '1',
      resolverIsExplicit: false,
      publish: [],
      authors: [],
      license: null,
      licenseFile: null,
      description: null,
      readme: null,
      links: null,
      defaultRun: null,
      rustVersion: null,
      metadata: null,
      hints: null,
      hasProfiles: false,
      dependencyPaths: [],
      workspace: { kind: 'member', root: null },
      summary: { id: { name: 'p', version: { text: '0.0.0' } }, links: null, checksum: null, yanked: false },
    });
  });

  it('are kept as written', () => {
    const text = `[package]
name = "é_p-1"
version = " 1.2.3-a.1+b "
authors = ["A <a@b>", "A <a@b>"]
rust-version = "1.60"
license-file = "LIC"
description = "d\\n"
homepage = "h"
documentation = "doc"
repository = "r"
keywords = ["k"]
categories = ["c"]
publish = ["alt"]
links = "z"
build = "b.rs"
exclude = ["x"]
include = ["y"]
workspace = "../root"
default-run = "é_p-1"
[[bin]]
name = "é_p-1"
path = "m.rs"
[hints]
mostly-unused = true
[profile.dev]
`;
    expect(parsePackage(text)).toMatchObject({
      authors: ['A <a@b>', 'A <a@b>'],
      rustVersion: '1.60',
      licenseFile: 'LIC',
      description: 'd\n',
      homepage: 'h',
      documentation: 'doc',
      repository: 'r',
      keywords: ['k'],
      categories: ['c'],
      publish: ['alt'],
      links: 'z',
      exclude: ['x'],
      include: ['y'],
      defaultRun: 'é_p-1',
      hints: { mostlyUnused: true },
      hasProfiles: true,
      workspace: { kind: 'member', root: '../root' },
      summary: {
        id: { name: 'é_p-1', version: { text: '1.2.3-a.1+b' } },
        links: 'z',
        rustVersion: '1.60',
      },
    });
  });

  it.each([
    ['publish = true\n', null],
    ['publish = false\n', []],
    ['publish = []\n', []],
    ['publish = ["a", "b"]\n', ['a', 'b']],
    ['', null],
  ])('publish is read from %j', (line, publish) => {
    expect(parsePackage(`${PACKAGE}${line}`).publish).toEqual(publish);
  });

  it.each([
    ['', ['README.txt', 'README'], 'README.txt'],
    ['', ['README.md/file', 'README'], 'README'],
    ['', ['readme.md'], null],
    ['readme = true\n', [], 'README.md'],
    ['readme = false\n', ['README.md'], null],
    ['readme = "../x"\n', ['README.md'], '../x'],
  ])('readme is read from %j beside the files %j', (line, files, readme) => {
    expect(parsePackage(`${PACKAGE}${line}`, { files: ['src/lib.rs', ...files] }).readme).toBe(readme);
  });

  it.each([
    ['2015', '1'],
    ['2018', '1'],
    ['2021', '2'],
    ['2024', '3'],
  ])('edition %s implies resolver %s', (edition, resolver) => {
    const { resolver: implied } = parsePackage(`[package]\nname = "p"\nedition = "${edition}"\n`);
    expect(implied).toBe(resolver);
  });

  it('resolver may be set in [package] or [workspace]', () => {
    expect(parsePackage(`${PACKAGE}resolver = "3"\n`)).toMatchObject({
      resolver: '3',
      resolverIsExplicit: true,
    });
    expect(parsePackage(`${PACKAGE}[workspace]\nresolver = "1"\n`)).toMatchObject({
      resolver: '1',
      resolverIsExplicit: true,
    });
  });

  it('metadata keeps its order and its values', () => {
    const { metadata } = parsePackage(
      `${PACKAGE}[package.metadata.x]\n10 = 1\n2 = 1.0\n[package.metadata]\na = 07:32\n`,
    );
    expect(metadata).toEqual(
      new Map<string, unknown>([
        [
          'x',
          new Map<string, unknown>([
            ['10', 1n],
            ['2', 1],
          ]),
        ],
        ['a', { kind: 'datetime', text: '07:32' }],
      ]),
    );
  });

  it('[project] is read as [package]', () => {
    expect(parsePackage('[project]\nname = "q"\n').summary.id.name).toBe('q');
  });
});

describe('[workspace]', () => {
  it('is read with and without a package', () => {
    const table = `[workspace]
members = ["a", "b/*"]
exclude = ["b/c"]
default-members = ["a"]
resolver = "2"
metadata = { k = 1 }
package.license = "MIT"
dependencies.x = "1"
lints.rust.unsafe_code = "deny"
`;
    const config = {
      members: ['a', 'b/*'],
      exclude: ['b/c'],
      defaultMembers: ['a'],
      metadata: new Map([['k', 1n]]),
      inheritable: {
        package: { license: 'MIT' },
        dependencies: new Map([['x', '1']]),
      },
    };
    expect(parseText(table)).toMatchObject({
      kind: 'virtual',
      resolver: '2',
      resolverIsExplicit: true,
      workspace: { kind: 'root', config },
    });
    expect(parseText(`${PACKAGE}${table}`)).toMatchObject({
      kind: 'package',
      workspace: { kind: 'root', config },
    });
  });

  it('may be empty', () => {
    expect(parseText('[workspace]\n[profile.dev]\n')).toMatchObject({
      kind: 'virtual',
      resolver: null,
      resolverIsExplicit: false,
      hasProfiles: true,
      workspace: {
        kind: 'root',
        config: { members: null, defaultMembers: null, exclude: [], metadata: null },
      },
    });
  });
});
