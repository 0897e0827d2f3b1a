import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { metadata, parseManifest, type ParseManifestOptions, TsregError } from '../../src/index.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const PACKAGE = '[package]\nname = "a"\nversion = "1.0.0"\nedition = "2021"\n';

/** Returns the error of `parseManifest`, and the messages of its causes, one per line. */
function failureOf(
  text: string,
  options?: ParseManifestOptions,
): { readonly code: string; readonly messages: string } {
  try {
    parseManifest(text, options);
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
    const messages: string[] = [];
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
      messages.push(cause.message);
    return { code: error.code, messages: messages.join('\n') };
  }
  throw new Error('it did not fail');
}

describe('parseManifest', () => {
  it('returns all dependencies with their keys', () => {
    const { dependencies } = parseManifest(`${PACKAGE}
[dependencies]
plain = "1"
[dependencies.renamed]
package = "real"
version = ">=1, <3"
optional = true
default-features = false
features = ["f"]
registry = "own"
[dev-dependencies]
local = { path = "../local" }
[target.'cfg(unix)'.build-dependencies]
remote = { git = "https://x.example/y", tag = "v1" }
`);
    const common = { rename: null, optional: false, defaultFeatures: true, features: [], target: null };
    const nowhere = { path: null, git: null, branch: null, tag: null, rev: null, registry: null };
    const shared = { ...common, ...nowhere, registryIndex: null };
    expect(dependencies).toEqual([
      { ...shared, name: 'plain', req: '^1', kind: 'normal' },
      {
        ...{ ...shared, name: 'real', rename: 'renamed', req: '>=1, <3', kind: 'normal', optional: true },
        ...{ defaultFeatures: false, features: ['f'], registry: 'own' },
      },
      { ...shared, name: 'local', req: '*', kind: 'dev', path: '../local' },
      {
        ...{ ...shared, name: 'remote', req: '*', kind: 'build', target: 'cfg(unix)' },
        ...{ git: 'https://x.example/y', tag: 'v1' },
      },
    ]);
  });

  it('returns the fields of a package, with null and empty lists for missing ones', () => {
    const {
      package: found,
      workspace,
      features,
    } = parseManifest(
      '[package]\nname = "a"\n[features]\nf = []\ng = ["f"]\n[package.metadata]\nx.y = [1, true]\n',
    );
    expect(found).toEqual({
      ...{ name: 'a', version: null, edition: '2015', rustVersion: null, description: null, license: null },
      ...{ licenseFile: null, readme: null, repository: null, homepage: null, documentation: null },
      ...{ authors: [], categories: [], keywords: [], links: null, defaultRun: null, publish: [] },
      ...{ exclude: [], include: [], metadata: { x: { y: [1, true] } } },
    });
    expect(workspace).toBeNull();
    expect(features).toEqual({ f: [], g: ['f'] });
  });

  it.each([
    ['', null],
    ['publish = true', null],
    ['publish = false', []],
    ['publish = ["own"]', ['own']],
  ])('lists the allowed registries of a package with %j', (line, publish) => {
    expect(parseManifest(PACKAGE + line).package?.publish).toEqual(publish);
  });

  it('returns a virtual manifest', () => {
    const manifest = parseManifest(
      '[workspace]\nmembers = ["a", "b/*"]\ndefault-members = ["a"]\nexclude = ["c"]\n' +
        '[workspace.dependencies]\nlog = { version = "0.4", features = ["std"] }\n[workspace.metadata]\nk = "v"\n',
    );
    expect(manifest).toMatchObject({ package: null, dependencies: [], features: {} });
    expect(manifest.workspace).toMatchObject({
      members: ['a', 'b/*'],
      defaultMembers: ['a'],
      exclude: ['c'],
      dependencies: [{ name: 'log', req: '^0.4', features: ['std'] }],
      metadata: { k: 'v' },
    });
  });

  it('inherits from its own workspace, or from the given one with paths relative to the member', () => {
    const member =
      '[package]\nname = "a"\nversion.workspace = true\nlicense-file.workspace = true\n' +
      '[dependencies]\nb = { workspace = true, optional = true }\n';
    const workspace =
      '[workspace]\n[workspace.package]\nversion = "2.1.0"\nlicense-file = "LICENSE"\n' +
      '[workspace.dependencies]\nb = { path = "crates/b", version = "1" }\n';
    const inside = parseManifest(member, { workspace, path: 'crates/a/Cargo.toml' });
    expect(inside.package).toMatchObject({ version: '2.1.0', licenseFile: '../../LICENSE' });
    expect(inside.dependencies).toMatchObject([{ name: 'b', path: '../b', req: '^1', optional: true }]);
    const own = parseManifest(member + workspace);
    expect(own.package).toMatchObject({ version: '2.1.0', licenseFile: 'LICENSE' });
    expect(own.dependencies).toMatchObject([{ path: 'crates/b' }]);
  });

  it('returns what `metadata` returns for the same manifests', async () => {
    using temp = makeTempDir('parse-manifest');
    const cwd = path.join(temp.path, 'ws');
    cpSync(path.join(projectRoot, 'fixtures', 'demo'), cwd, { recursive: true });
    const env = { CARGO_HOME: path.join(temp.path, 'home'), PATH: process.env['PATH'] };
    const { packages } = (await metadata({ cwd, env })).parse();
    const workspace = readFileSync(path.join(cwd, 'Cargo.toml'), 'utf8');
    expect(packages.length).toBeGreaterThan(4);
    for (const { manifest_path: file, name, version, license, edition, ...entry } of packages) {
      const manifest = parseManifest(readFileSync(file, 'utf8'), {
        workspace,
        path: file.startsWith(cwd) ? path.relative(cwd, file) : 'Cargo.toml',
      });
      expect(manifest.package).toMatchObject({ name, version, license, edition });
      expect(manifest.dependencies).toMatchObject(
        entry.dependencies.map(({ kind, rename, uses_default_features: defaultFeatures, ...dependency }) => ({
          ...{ name: dependency.name, req: dependency.req, target: dependency.target },
          ...{ kind: kind ?? 'normal', rename, defaultFeatures, optional: dependency.optional },
        })),
      );
      expect(entry.features).toMatchObject(manifest.features);
    }
  });

  it('accepts a hostile name of a feature as data', () => {
    const { features } = parseManifest(`${PACKAGE}[features]\n__proto__ = []\n`);
    expect(Object.keys(features)).toEqual(['__proto__']);
  });

  it.each([
    ['nope', 'toml', 'key with no value, expected `=`'],
    ['[package]\nname = 1', 'toml', 'invalid type: integer `1`, expected a string'],
    ['', 'manifest', 'manifest is missing either a `[package]` or a `[workspace]`'],
    ['[package]\nversion = "1.0.0"', 'manifest', 'missing field `package.name`'],
    [`${PACKAGE}[dependencies]\nb = {}`, 'manifest', 'dependency (b) specified without providing'],
    [`${PACKAGE}[dependencies]\nb = "^x"`, 'manifest', 'failed to parse the version requirement `^x`'],
    [`${PACKAGE}[features]\nf = ["g"]`, 'manifest', 'feature `f` includes `g`'],
    ['[package]\nname = "a"\nedition = "2099"', 'manifest', '2099'],
    [
      '[package]\nname = "a"\nversion.workspace = true',
      'workspace',
      'root manifest of the workspace is unknown',
    ],
  ])('throws for %j', (text, code, message) => {
    expect(failureOf(text, { path: 'some/Cargo.toml' })).toEqual({
      code,
      messages: expect.stringContaining(message),
    });
  });

  it('throws for a root manifest that has no workspace, or not what the member inherits', () => {
    const member = '[package]\nname = "a"\nversion.workspace = true';
    expect(failureOf(member, { workspace: PACKAGE })).toEqual({
      code: 'workspace',
      messages: expect.stringContaining('the manifest in `workspace` has no `[workspace]`'),
    });
    expect(failureOf(member, { workspace: '[workspace]' })).toEqual({
      code: 'manifest',
      messages: expect.stringContaining('`workspace.package.version` was not defined'),
    });
  });

  it('throws for arguments of the wrong type', () => {
    expect(() => Reflect.apply(parseManifest, null, [Buffer.from(PACKAGE)])).toThrow(
      '`text` must be a string, not this object',
    );
    expect(() => parseManifest(PACKAGE, { path: '/x/Cargo.toml' })).toThrow('`path` must be relative');
  });
});
