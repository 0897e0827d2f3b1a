import { readFixtures } from '../../helpers/scenario-file.ts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type {
  DependencyEntry,
  MetadataDocument,
  NodeDependency,
  NodeEntry,
  PackageEntry,
  ResolveEntry,
  TargetEntry,
} from '../../../src/core/document/document.ts';
import { type JsonSchema, METADATA_SCHEMA } from '../../../src/core/document/schema.ts';

const validate = new Ajv2020({ strict: true, allErrors: true }).compile(METADATA_SCHEMA);

/** Returns why a document does not match the schema; empty if it does. */
function problemsOf(document: unknown): readonly string[] {
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
}

const dependency: Required<DependencyEntry> = {
  name: 'log',
  source: null,
  req: '^1',
  kind: 'dev',
  rename: 'l',
  optional: true,
  uses_default_features: false,
  features: ['std'],
  target: 'cfg(unix)',
  registry: null,
  path: '/log',
};
const target: Required<TargetEntry> = {
  kind: ['bin'],
  crate_types: ['bin'],
  name: 'demo',
  src_path: '/demo/src/main.rs',
  edition: '2024',
  'required-features': ['a'],
  doc: true,
  doctest: false,
  test: true,
};
const entry: Required<PackageEntry> = {
  name: 'demo',
  version: '1.0.0',
  id: 'demo 1.0.0',
  license: 'MIT',
  license_file: null,
  description: null,
  source: null,
  dependencies: [dependency],
  targets: [target],
  features: { a: ['log/std'] },
  manifest_path: '/demo/Cargo.toml',
  metadata: { x: [1.5, null] },
  publish: ['own'],
  authors: [],
  categories: [],
  keywords: [],
  readme: null,
  repository: null,
  homepage: null,
  documentation: null,
  edition: '2024',
  links: null,
  default_run: null,
  rust_version: null,
  hints: { 'mostly-unused': true },
};
const edge: Required<NodeDependency> = {
  name: 'log',
  pkg: 'log 1.0.0',
  dep_kinds: [{ kind: null, target: null }],
};
const node: Required<NodeEntry> = {
  id: 'demo 1.0.0',
  dependencies: ['log 1.0.0'],
  deps: [edge],
  features: [],
};
const resolve: Required<ResolveEntry> = { nodes: [node], root: null };
/** A document with every possible field. */
const sample: Required<MetadataDocument> = {
  packages: [entry],
  workspace_members: ['demo 1.0.0'],
  workspace_default_members: ['demo 1.0.0'],
  resolve,
  target_directory: '/demo/target',
  build_directory: '/demo/target',
  version: 1,
  workspace_root: '/demo',
  metadata: null,
};

function keysOf(schema: JsonSchema | undefined): readonly string[] {
  return Object.keys(schema?.properties ?? {}).toSorted();
}

describe('the metadata schema', () => {
  const { $defs = {} } = METADATA_SCHEMA;

  it.each<readonly [string, object, JsonSchema | undefined]>([
    ['document', sample, METADATA_SCHEMA],
    ['package', entry, $defs['package']],
    ['dependency', dependency, $defs['dependency']],
    ['target', target, $defs['target']],
    ['hints', entry.hints, $defs['package']?.properties?.['hints']],
    ['resolve', resolve, $defs['resolve']],
    ['node', node, $defs['node']],
    ['edge', edge, $defs['node']?.properties?.['deps']?.items],
  ])('has the same fields as the type of a %s', (_, value, schema) => {
    expect(keysOf(schema)).toEqual(Object.keys(value).toSorted());
  });

  it('accepts a document with every field, and one without optional fields', () => {
    expect(problemsOf(sample)).toEqual([]);
    const { hints: _hints, ...bare } = entry;
    const { path: _path, ...plain } = dependency;
    const { 'required-features': _required, ...simple } = target;
    const less = { ...bare, dependencies: [plain], targets: [simple] };
    expect(problemsOf({ ...sample, packages: [less], resolve: null })).toEqual([]);
  });

  it.each<readonly [string, object]>([
    ['a field more', { ...sample, more: 1 }],
    ['a field more in a package', { ...sample, packages: [{ ...entry, more: 1 }] }],
    ['a field less', { ...sample, build_directory: undefined }],
    ['a field less in a package', { ...sample, packages: [{ ...entry, default_run: undefined }] }],
    [
      'a kind that there is not',
      { ...sample, packages: [{ ...entry, dependencies: [{ ...dependency, kind: 'x' }] }] },
    ],
    ['another version', { ...sample, version: 2 }],
    ['a list that is none', { ...sample, packages: [{ ...entry, keywords: 'a' }] }],
  ])('refuses a document with %s', (_, document) => {
    expect(problemsOf(JSON.parse(JSON.stringify(document)))).not.toEqual([]);
  });

  it('accepts every document recorded from cargo', () => {
    const files = readFixtures()
      .map(({ dir }) => path.join(dir, 'expected'))
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)))
      .filter((file) => file.endsWith('.stdout') && readFileSync(file, 'utf8').startsWith('{"packages":'));
    expect(files.length).toBeGreaterThan(100);
    const wrong = files.flatMap((file) =>
      problemsOf(JSON.parse(readFileSync(file, 'utf8'))).map((problem) => `${file}: ${problem}`),
    );
    expect(wrong).toEqual([]);
  });
});
