import { cpSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  dependenciesOf,
  metadata,
  type MetadataDocument,
  packageById,
  rootPackage,
  workspaceDefaultPackages,
  workspacePackages,
} from '../../src/index.ts';
import { present } from '../../src/core/errors/assert.ts';
import * as library from '../../src/index.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('metadata-queries');
afterAll(() => temp.remove());

const env = { CARGO_HOME: path.join(temp.path, 'home'), PATH: process.env['PATH'] };
let document: MetadataDocument;
let membersOnly: MetadataDocument;
let ofMember: MetadataDocument;
beforeAll(async () => {
  const cwd = path.join(temp.path, 'ws');
  cpSync(path.join(projectRoot, 'fixtures', 'demo'), cwd, { recursive: true });
  document = (await metadata({ cwd, env })).parse();
  membersOnly = (await metadata({ cwd, env, noDeps: true })).parse();
  ofMember = (await metadata({ cwd: path.join(cwd, 'greet'), env })).parse();
});

const namesOf = (packages: readonly { readonly name: string }[]): readonly string[] =>
  packages.map(({ name }) => name);

describe('packageById', () => {
  it('returns the package, and null for another id', () => {
    for (const entry of document.packages) expect(packageById(document, entry.id)).toBe(entry);
    expect(packageById(document, 'none')).toBeNull();
  });
});

describe('rootPackage', () => {
  it('returns the package of the current manifest', () => {
    expect(rootPackage(ofMember)?.name).toBe('greet');
  });

  it('returns null for a virtual manifest, with and without dependencies', () => {
    expect(rootPackage(document)).toBeNull();
    expect(rootPackage(membersOnly)).toBeNull();
  });

  it('returns the package of the root manifest for a document without dependencies', () => {
    const [first, ...others] = membersOnly.packages;
    const manifest = path.join(membersOnly.workspace_root, 'Cargo.toml');
    const root = { ...present(first, 'a member'), manifest_path: manifest };
    expect(rootPackage({ ...membersOnly, packages: [...others, root] })).toBe(root);
  });
});

describe('workspacePackages and workspaceDefaultPackages', () => {
  it('return the members in the order of the document', () => {
    expect(namesOf(workspacePackages(document))).toEqual(['hello', 'greet']);
    expect(workspacePackages(membersOnly).map(({ id }) => id)).toEqual(membersOnly.workspace_members);
    expect(namesOf(workspaceDefaultPackages(document))).toEqual(['hello']);
  });
});

describe('dependenciesOf', () => {
  it('returns the packages of the edges, with their kinds', () => {
    for (const { id } of document.packages) {
      const node = document.resolve?.nodes.find((candidate) => candidate.id === id);
      const found = dependenciesOf(document, id);
      expect(found.map(({ name, package: { id: pkg } }) => ({ name, pkg }))).toEqual(
        node?.deps.map(({ name, pkg }) => ({ name, pkg })),
      );
      expect(found.every(({ kinds }) => kinds.length > 0)).toBe(true);
    }
    const hello = workspacePackages(document).find(({ name }) => name === 'hello')?.id ?? '';
    expect(dependenciesOf(document, hello)).toContainEqual({
      name: 'greet',
      package: workspacePackages(document).find(({ name }) => name === 'greet'),
      kinds: [{ kind: 'normal', target: null }],
    });
  });

  it('throws for an unknown package, and for a document without dependencies', () => {
    const failure = (message: string, code: string): object => expect.objectContaining({ message, code });
    expect(() => dependenciesOf(document, 'none')).toThrow(
      failure('the document has no package with the ID `none`', 'not-found'),
    );
    expect(() => dependenciesOf(membersOnly, 'none')).toThrow(
      failure('the document has no dependencies: call `metadata` without `noDeps`', 'usage'),
    );
  });

  it('throws if the document lacks a package of an edge', () => {
    const { nodes = [] } = document.resolve ?? {};
    const node = nodes.find(({ deps }) => deps.length > 0);
    const packages = document.packages.filter(({ id }) => id !== node?.deps[0]?.pkg);
    expect(() => dependenciesOf({ ...document, packages }, node?.id ?? '')).toThrow(
      expect.objectContaining({ code: 'not-found' }),
    );
  });
});

it.each([
  ['rootPackage', () => rootPackage({ ...ofMember, packages: [] })],
  ['workspacePackages', () => workspacePackages({ ...document, packages: [] })],
  ['workspaceDefaultPackages', () => workspaceDefaultPackages({ ...document, packages: [] })],
])('%s throws `not-found` if the document lacks a package that it names', (_, query) => {
  expect(query).toThrow(expect.objectContaining({ code: 'not-found' }));
});

describe('a document that lacks a field', () => {
  const hello = (): string => workspacePackages(document)[0]?.id ?? '';
  /** Calls a function with a document that the types do not allow. */
  const failureOf = (name: string, value: unknown): unknown => {
    const called: unknown = Reflect.get(library, name);
    if (typeof called !== 'function') throw new Error(`${name} is no function`);
    try {
      called(value, hello());
      return null;
    } catch (error) {
      return error;
    }
  };
  const ofHello = (deps: unknown): object => ({ ...document, resolve: { nodes: [{ id: hello(), deps }] } });
  const without = (name: keyof MetadataDocument): object => ({ ...document, [name]: undefined });

  it.each<[string, string, () => unknown]>([
    ['packageById', 'packages', () => without('packages')],
    ['packageById', 'packages', () => null],
    ['packageById', 'packages', () => ({ packages: 'none' })],
    ['packageById', 'packages', () => metadata],
    ['rootPackage', 'resolve', () => without('resolve')],
    ['rootPackage', 'packages', () => ({ ...membersOnly, packages: undefined })],
    ['rootPackage', 'workspace_root', () => ({ ...membersOnly, workspace_root: undefined })],
    ['workspacePackages', 'workspace_members', () => without('workspace_members')],
    ['workspacePackages', 'packages', () => without('packages')],
    ['workspaceDefaultPackages', 'workspace_default_members', () => without('workspace_default_members')],
    ['dependenciesOf', 'resolve', () => without('resolve')],
    ['dependenciesOf', 'nodes', () => ({ ...document, resolve: {} })],
    ['dependenciesOf', 'deps', () => ({ ...document, resolve: { nodes: [{ id: hello() }] } })],
    ['dependenciesOf', 'dep_kinds', () => ofHello([{ name: 'a', pkg: hello() }])],
    ['packageById', 'packages', () => ({ packages: [null] })],
    ['rootPackage', 'packages', () => ({ ...membersOnly, packages: [null] })],
    ['workspacePackages', 'workspace_members', () => ({ ...document, workspace_members: [null] })],
    [
      'workspaceDefaultPackages',
      'workspace_default_members',
      () => ({ ...document, workspace_default_members: [null] }),
    ],
    ['dependenciesOf', 'nodes', () => ({ ...document, resolve: { nodes: [null] } })],
    ['dependenciesOf', 'deps', () => ofHello([null])],
    ['dependenciesOf', 'dep_kinds', () => ofHello([{ name: 'a', pkg: hello(), dep_kinds: [null] }])],
  ])('%s names the missing field `%s`', (name, field, value) => {
    expect(failureOf(name, value())).toMatchObject({
      name: 'TsregError',
      code: 'usage',
      message: `the document has no valid \`${field}\``,
    });
  });
});
