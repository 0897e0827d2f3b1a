import { readFixtures } from '../helpers/scenario-file.ts';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type DependencyEntry,
  formatWarning,
  metadata,
  type MetadataDocument,
  type MetadataOptions,
  type NodeDependency,
  type NodeEntry,
  type PackageEntry,
  type ResolveEntry,
  type TargetEntry,
  TsregError,
  type Warning,
} from '../../src/index.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { runProgram, tsregProgram } from '../helpers/program.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('library');
afterAll(() => temp.remove());

let count = 0;

/** Options that say where a call works. */
interface DemoOptions extends MetadataOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns options for a fresh copy of the demo workspace with its own home. */
function demo(more: Partial<DemoOptions> = {}): DemoOptions {
  count += 1;
  const base = path.join(temp.path, `demo-${count}`);
  cpSync(path.join(projectRoot, 'fixtures', 'demo'), path.join(base, 'ws'), { recursive: true });
  const env = { CARGO_HOME: path.join(base, 'home'), PATH: process.env['PATH'] };
  return { cwd: path.join(base, 'ws'), env, ...more };
}

/** Returns the error that a call ends with. */
async function errorOf(options: MetadataOptions): Promise<TsregError> {
  const outcome = await metadata(options).catch((error: unknown) => error);
  if (outcome instanceof TsregError) return outcome;
  throw new Error('it was no TsregError', { cause: outcome });
}

describe('metadata', () => {
  it('returns the bytes that the program prints, and parses them', async () => {
    const options = demo();
    const { bytes, parse } = await metadata(options);
    const { CARGO_HOME, PATH = '' } = options.env;
    const program = await runProgram(tsregProgram(), ['metadata', '--format-version', '1'], {
      cwd: options.cwd,
      env: { CARGO_HOME: CARGO_HOME ?? '', PATH },
    });
    expect(`${Buffer.from(bytes).toString()}\n`).toBe(program.stdout);
    const document = parse();
    expect(JSON.stringify(document)).toBe(Buffer.from(bytes).toString());
    expect(document.workspace_root).toBe(options.cwd);
    expect(document.resolve?.nodes).toHaveLength(document.packages.length);
  });

  it('has options that work like the flags of the same names', async () => {
    const options = demo();
    const members = (await metadata({ ...options, noDeps: true })).parse();
    expect(members.resolve).toBeNull();
    expect(existsSync(path.join(options.cwd, 'Cargo.lock'))).toBe(false);
    const spec = (await metadata({ ...options, noDeps: true, packageIdFormat: 'spec' })).parse();
    expect(spec.workspace_members[0]).toMatch(/^path\+file:\/\//);
    const [linux, everywhere] = await Promise.all(
      [['x86_64-unknown-linux-gnu'], []].map(async (filterPlatforms) =>
        (await metadata({ ...options, filterPlatforms })).parse(),
      ),
    );
    expect(linux?.packages.length).toBeLessThan(everywhere?.packages.length ?? 0);
    const nested = { ...options, cwd: path.join(options.cwd, 'hello'), manifestPath: '../greet/Cargo.toml' };
    const fromGreet = (await metadata(nested)).parse();
    expect(fromGreet.resolve?.root).toContain('greet');
    const target = await metadata({ ...options, config: ["build.target-dir = 'out'"] });
    expect(target.parse().target_directory).toBe(path.join(options.cwd, 'out'));
  });

  it('ignores the environment of the process', async () => {
    const options = demo();
    process.env['CARGO_BUILD_TARGET_DIR'] = '/elsewhere';
    try {
      expect((await metadata(options)).parse().target_directory).toBe(path.join(options.cwd, 'target'));
    } finally {
      delete process.env['CARGO_BUILD_TARGET_DIR'];
    }
    const env = { ...options.env, CARGO_BUILD_TARGET_DIR: '/there' };
    expect((await metadata({ ...options, env })).parse().target_directory).toBe('/there');
  });

  it('reports warnings and status messages in order', async () => {
    const said: string[] = [];
    const manifest = "[package]\nname = 'm'\nversion = '0.1.0'\nedition = '2021'\n";
    const options = demo({
      report: {
        status: (verb, text) => void said.push(`${verb} ${text}`),
        warning: (warning) => void said.push(formatWarning(warning)),
      },
    });
    writeFileSync(path.join(options.cwd, 'Cargo.toml'), "[workspace]\nmembers = ['hello']\n");
    writeFileSync(
      path.join(options.cwd, 'hello', 'Cargo.toml'),
      `${manifest}[dependencies]\nlantern = '1'\n`,
    );
    await metadata(options);
    expect(said[0]).toMatch(/^warning: virtual workspace defaulting .*\n {2}\|\n {2}= note: to keep/);
    expect(said.slice(1)).toEqual([
      'Locking 1 package to highest compatible version',
      expect.stringMatching(/^Unpacking lantern v1\.1\.0 \(registry `.*`\)$/),
    ]);
  });

  it('supports concurrent calls on one workspace and on several', async () => {
    const [one, other] = [demo(), demo()];
    const answers = await Promise.all(
      [one, one, other, one, { ...other, noDeps: true }, other].map((options) => metadata(options)),
    );
    const texts = answers.map(({ bytes }) => Buffer.from(bytes).toString());
    expect(new Set(texts).size).toBe(3);
    expect(texts[1]).toBe(texts[0]);
    expect(texts[2]).toBe(texts[5]);
    const left = readdirSync(one.cwd).filter((name) => name.includes('tmp'));
    expect(left).toEqual([]);
  });
});

describe('failures', () => {
  it.each<readonly [string, Partial<DemoOptions>, Readonly<Record<string, string>>]>([
    ['not-found', { manifestPath: 'nowhere/Cargo.toml' }, {}],
    ['lockfile', { locked: true }, {}],
    ['config', { config: ['a = 1', 'a = []'] }, {}],
    ['config', {}, { '.cargo/config.toml': 'net.retry = "x"' }],
    ['toml', {}, { 'Cargo.toml': 'nope' }],
    ['manifest', {}, { 'greet/Cargo.toml': "[package]\nname = 'greet'\n[features]\na = ['b']" }],
    ['workspace', {}, { 'hello/Cargo.toml': "[package]\nname = 'hello'\n[workspace]" }],
    ['resolve', {}, { 'greet/Cargo.toml': "[package]\nname = 'greet'\n[dependencies]\nlantern = '99'" }],
    ['toolchain', { filterPlatforms: ['none'] }, {}],
    ['usage', { cwd: 'here' }, {}],
  ])('have the code %s with %j and %j', async (code, more, files) => {
    const options = demo();
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(options.cwd, name)), { recursive: true });
      writeFileSync(path.join(options.cwd, name), text);
    }
    const error = await errorOf({ ...options, ...more });
    expect({ code: error.code, message: error.message }).toMatchObject({ code });
  });

  it('do not affect concurrent calls', async () => {
    const options = demo();
    const [bad, good] = await Promise.allSettled([
      metadata({ ...options, manifestPath: 'none' }),
      metadata(options),
    ]);
    expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled']);
  });
});

/** Long enough for a busy machine. */
const PATIENT = { timeout: 30_000 };

describe('an abort', () => {
  let server: RegistryServer;
  beforeAll(async () => {
    server = await startRegistryServer();
  });
  afterAll(() => server.close());

  it('before the start prevents the call', async () => {
    const reason = new Error('changed my mind');
    const options = demo({ signal: AbortSignal.abort(reason) });
    const error = await errorOf(options);
    expect(error).toMatchObject({ code: 'aborted', message: 'interrupted', cause: reason });
    expect(existsSync(path.join(options.cwd, 'Cargo.lock'))).toBe(false);
  });

  it.each(['config.json', 'aa/aa', 'dl/aa'])('ends a call that waits for %s', async (slowPath) => {
    const sandbox = new Sandbox(
      {
        about: 'A package from a registry that does not come to an end.',
        registries: {
          alt: { kind: 'sparse', faults: [{ kind: 'slow', delayMs: 20_000, path: slowPath }] },
        },
        crates: [{ name: 'aaaa', version: '1.0.0', registry: 'alt' }],
        files: {
          'Cargo.toml':
            '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\naaaa = { version = "1", registry = "alt" }\n',
          'src/lib.rs': '',
        },
        runs: [],
      },
      path.join(temp.path, 'abort'),
      server,
    );
    sandbox.start();
    const controller = new AbortController();
    const env = { CARGO_HOME: sandbox.places.home, PATH: process.env['PATH'] };
    const seen = server.requests.length;
    const running = errorOf({ cwd: sandbox.places.workspace, env, signal: controller.signal });
    await expect
      .poll(() => server.requests.slice(seen).some((each) => each.path.includes(slowPath)), PATIENT)
      .toBe(true);
    const startedMs = performance.now();
    controller.abort();
    expect((await running).code).toBe('aborted');
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    // The aborted call leaves nothing that blocks other calls.
    const after = await metadata({ cwd: sandbox.places.workspace, env, noDeps: true });
    expect(after.parse().packages).toHaveLength(1);
    sandbox.remove();
  });

  it('allows many listeners without a warning of Node', async () => {
    const names = Array.from({ length: 24 }, (_, index) => `crate${index}`);
    const sandbox = new Sandbox(
      {
        about: 'Many packages from a registry that is overloaded at first.',
        registries: {
          alt: { kind: 'sparse', faults: [{ kind: 'status', status: 503, times: 24, path: 'download' }] },
        },
        crates: names.map((name) => ({ name, version: '1.0.0', registry: 'alt' })),
        files: {
          'Cargo.toml': `[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n${names
            .map((name) => `${name} = { version = "1", registry = "alt" }\n`)
            .join('')}`,
          'src/lib.rs': '',
        },
        runs: [],
      },
      path.join(temp.path, 'many'),
      server,
    );
    sandbox.start();
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    const env = { CARGO_HOME: sandbox.places.home, PATH: process.env['PATH'], CARGO_NET_RETRY: '5' };
    const { signal } = new AbortController();
    const tried: string[] = [];
    const report = { warning: (warning: Warning) => void tried.push(formatWarning(warning)) };
    const options = { cwd: sandbox.places.workspace, env, signal, report };
    expect((await metadata(options)).parse().packages).toHaveLength(25);
    expect(tried.length).toBeGreaterThan(10);
    await Promise.all(names.map(() => metadata({ ...options, noDeps: true })));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warnings).toEqual([]);
    sandbox.remove();
  });

  it('ends a call that waits for a program', async () => {
    const options = demo();
    const rustc = path.join(options.cwd, 'rustc');
    writeFileSync(rustc, '#!/bin/sh\necho > started\nexec sleep 20\n');
    chmodSync(rustc, 0o755);
    const controller = new AbortController();
    const running = errorOf({
      ...options,
      env: { ...options.env, RUSTC: rustc },
      signal: controller.signal,
    });
    await expect.poll(() => existsSync(path.join(options.cwd, 'started')), PATIENT).toBe(true);
    controller.abort();
    expect((await running).code).toBe('aborted');
  });
});

/** Returns whether a value of the document is valid. */
type Check = (value: unknown) => boolean;
/** A check for every field, including optional fields. */
type Shape<T> = { readonly [K in keyof Required<T>]: Check };

const isString: Check = (value) => typeof value === 'string';
const isBoolean: Check = (value) => typeof value === 'boolean';
const isJson: Check = () => true;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** Returns a check for objects with exactly the fields of a shape, of which `optional` ones may be absent. */
function has<T>(shape: Shape<T>, optional: readonly (keyof T & string)[] = []): Check {
  const checks = new Map<string, Check>(Object.entries<Check>(shape));
  return (value) =>
    isRecord(value) &&
    Object.entries(value).every(([key, field]) => checks.get(key)?.(field) === true) &&
    Array.from(checks.keys()).every((key) => key in value || optional.some((name) => name === key));
}

const isKind = orNull((value) => value === 'dev' || value === 'build');
const isDependency = has<DependencyEntry>(
  {
    name: isString,
    source: orNull(isString),
    req: isString,
    kind: isKind,
    rename: orNull(isString),
    optional: isBoolean,
    uses_default_features: isBoolean,
    features: listOf(isString),
    target: orNull(isString),
    registry: orNull(isString),
    path: isString,
  },
  ['path'],
);
const isTarget = has<TargetEntry>(
  {
    kind: listOf(isString),
    crate_types: listOf(isString),
    name: isString,
    src_path: isString,
    edition: isString,
    'required-features': listOf(isString),
    doc: isBoolean,
    doctest: isBoolean,
    test: isBoolean,
  },
  ['required-features'],
);
const isPackage = has<PackageEntry>(
  {
    name: isString,
    version: isString,
    id: isString,
    license: orNull(isString),
    license_file: orNull(isString),
    description: orNull(isString),
    source: orNull(isString),
    dependencies: listOf(isDependency),
    targets: listOf(isTarget),
    features: (value) => isRecord(value) && Object.values(value).every(listOf(isString)),
    manifest_path: isString,
    metadata: isJson,
    publish: orNull(listOf(isString)),
    authors: listOf(isString),
    categories: listOf(isString),
    keywords: listOf(isString),
    readme: orNull(isString),
    repository: orNull(isString),
    homepage: orNull(isString),
    documentation: orNull(isString),
    edition: isString,
    links: orNull(isString),
    default_run: orNull(isString),
    rust_version: orNull(isString),
    hints: isRecord,
  },
  ['hints'],
);
const isEdge = has<NodeDependency>({
  name: isString,
  pkg: isString,
  dep_kinds: listOf(has<NodeDependency['dep_kinds'][number]>({ kind: isKind, target: orNull(isString) })),
});
const isNode = has<NodeEntry>({
  id: isString,
  dependencies: listOf(isString),
  deps: listOf(isEdge),
  features: listOf(isString),
});
const isDocument = has<MetadataDocument>({
  packages: listOf(isPackage),
  workspace_members: listOf(isString),
  workspace_default_members: listOf(isString),
  resolve: orNull(has<ResolveEntry>({ nodes: listOf(isNode), root: orNull(isString) })),
  target_directory: isString,
  build_directory: isString,
  version: (value) => value === 1,
  workspace_root: isString,
  metadata: isJson,
});

describe('the types of the document', () => {
  const documents = readFixtures()
    .map(({ dir }) => path.join(dir, 'expected'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.stdout'))
        .map((name) => readFileSync(path.join(folder, name), 'utf8')),
    )
    .filter((text) => text.startsWith('{"packages":'))
    .map((text): unknown => JSON.parse(text));

  it('fit every recorded document of cargo', () => {
    expect(documents.length).toBeGreaterThan(100);
    expect(documents.filter((document) => !isDocument(document))).toEqual([]);
  });

  it('have only optional fields that occur in documents, and allow no other fields', () => {
    const text = JSON.stringify(documents);
    for (const field of ['path', 'required-features', 'hints', 'rename', 'target']) {
      expect(text).toContain(`"${field}":`);
    }
    expect(isDocument({ ...(documents[0] as MetadataDocument), more: 1 })).toBe(false);
  });

  it('fit a parsed document', async () => {
    expect(isDocument((await metadata(demo())).parse())).toBe(true);
  });
});
