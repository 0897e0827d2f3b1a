/** JSON Schema of the document, draft 2020-12. Cargo Book: cargo metadata. */
import type {
  DependencyEntry,
  MetadataDocument,
  NodeDependency,
  NodeEntry,
  PackageEntry,
  ResolveEntry,
  TargetEntry,
} from './document.ts';

/** The part of JSON Schema that the schema uses. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: number;
  readonly enum?: readonly (string | null)[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/** The keys that may be missing in an object of type `T`. */
type OptionalKey<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K & string : never }[keyof T];
/** Exactly the optional keys of `T`: the compiler rejects a missing or another key. */
type Optional<T> = { readonly [K in OptionalKey<T>]: true };

const NULL: JsonSchema = { type: 'null' };

function text(description?: string): JsonSchema {
  return describe({ type: 'string' }, description);
}

function flag(description?: string): JsonSchema {
  return describe({ type: 'boolean' }, description);
}

function texts(description?: string): JsonSchema {
  return listOf({ type: 'string' }, description);
}

function listOf(items: JsonSchema, description?: string): JsonSchema {
  return describe({ type: 'array', items }, description);
}

function orNull(schema: JsonSchema, description?: string): JsonSchema {
  return describe({ anyOf: [schema, NULL] }, description);
}

function anything(description: string): JsonSchema {
  return { description };
}

function ref(name: string): JsonSchema {
  return { $ref: `#/$defs/${name}` };
}

function describe(schema: JsonSchema, description: string | undefined): JsonSchema {
  return description === undefined ? schema : { description, ...schema };
}

/** Returns the schema of an object with the fields of `T` and no others. */
function object<T>(
  fields: { readonly [K in keyof Required<T>]: JsonSchema },
  optional: Optional<T>,
  description?: string,
): JsonSchema {
  const properties = Object.fromEntries(Object.entries<JsonSchema>(fields));
  const required = Object.keys(properties).filter((key) => !Object.hasOwn(optional, key));
  return describe({ type: 'object', properties, required, additionalProperties: false }, description);
}

const DEPENDENCY_KIND: JsonSchema = {
  description: 'Null for a normal dependency.',
  enum: [null, 'dev', 'build'],
};

const DEPENDENCY = object<DependencyEntry>(
  {
    name: text('The name of the package.'),
    source: orNull(text(), 'Null for a package on disk.'),
    req: text('The version requirement; `*` if there is none.'),
    kind: DEPENDENCY_KIND,
    rename: orNull(text(), 'Its name in the manifest, if that is another.'),
    optional: flag(),
    uses_default_features: flag(),
    features: texts(),
    target: orNull(text(), 'A target triple or a `cfg` expression; null for every platform.'),
    registry: orNull(text(), 'The URL of the index of its registry; null for crates.io.'),
    path: text('The folder of a dependency on disk, absolute.'),
  },
  { path: true },
  'A dependency as it is declared.',
);

const TARGET = object<TargetEntry>(
  {
    kind: texts('`lib` or the crate types of a library, `bin`, `example`, `test`, `bench`, `custom-build`.'),
    crate_types: texts(),
    name: text(),
    src_path: text('The file that it begins with, absolute.'),
    edition: text(),
    'required-features': texts(),
    doc: flag('Documented by default.'),
    doctest: flag('Has documentation tests that are run by default.'),
    test: flag('Tested by default.'),
  },
  { 'required-features': true },
);

const PACKAGE = object<PackageEntry>(
  {
    name: text(),
    version: text(),
    id: text('How the rest of the document names the package; opaque.'),
    license: orNull(text()),
    license_file: orNull(text()),
    description: orNull(text()),
    source: orNull(text(), 'Null for a package on disk.'),
    dependencies: listOf(ref('dependency'), 'As declared, whatever is resolved.'),
    targets: listOf(ref('target')),
    features: {
      description: 'What each feature activates.',
      type: 'object',
      additionalProperties: texts(),
    },
    manifest_path: text('Absolute.'),
    metadata: anything('`[package.metadata]`; null if there is none.'),
    publish: orNull(texts(), 'Registries that it may go to; null for all, empty for none.'),
    authors: texts(),
    categories: texts(),
    keywords: texts(),
    readme: orNull(text()),
    repository: orNull(text()),
    homepage: orNull(text()),
    documentation: orNull(text()),
    edition: text(),
    links: orNull(text()),
    default_run: orNull(text()),
    rust_version: orNull(text()),
    hints: object<NonNullable<PackageEntry['hints']>>(
      {
        'mostly-unused': anything(
          'Whether it is expected that little of it is used; null if nothing is said.',
        ),
      },
      {},
      '`[hints]`.',
    ),
  },
  { hints: true },
);

const EDGE = object<NodeDependency>(
  {
    name: text('The name by which code refers to the dependency.'),
    pkg: text('Package id.'),
    dep_kinds: listOf(
      object<NodeDependency['dep_kinds'][number]>(
        {
          kind: DEPENDENCY_KIND,
          target: orNull(text(), 'A target triple or a `cfg` expression; null for every platform.'),
        },
        {},
      ),
    ),
  },
  {},
);

const NODE = object<NodeEntry>(
  {
    id: text('Package id.'),
    dependencies: texts('Package IDs.'),
    deps: listOf(EDGE),
    features: texts('Those that are activated.'),
  },
  {},
);

const RESOLVE = object<ResolveEntry>(
  { nodes: listOf(ref('node')), root: orNull(text(), 'Package id; null in a virtual workspace.') },
  {},
);

/**
 * The JSON Schema of the output of `metadata --format-version 1`. A document with one field more or less does not
 * validate.
 */
export const METADATA_SCHEMA: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'cargo metadata, format version 1',
  ...object<MetadataDocument>(
    {
      packages: listOf(ref('package'), 'Workspace members; without `--no-deps` also all resolved packages.'),
      workspace_members: texts('Package IDs.'),
      workspace_default_members: texts('Package IDs.'),
      resolve: orNull(ref('resolve'), 'The dependency graph; null with `--no-deps`.'),
      target_directory: text('Absolute.'),
      build_directory: text('Absolute.'),
      version: { const: 1 },
      workspace_root: text('Absolute.'),
      metadata: anything('`[workspace.metadata]`; null if there is none.'),
    },
    {},
  ),
  $defs: { package: PACKAGE, dependency: DEPENDENCY, target: TARGET, resolve: RESOLVE, node: NODE },
};
