import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { SourceTable } from '../../src/core/package-id/source-table.ts';
import { decodeIndexLine } from '../../src/core/protocol/index-line.ts';
import { indexPath } from '../../src/core/protocol/index-path.ts';
import { checkIndexFile } from '../../src/server/upstream/check-index-file.ts';
import { crateFileName, packageDirName } from '../../src/io/sources/crate-file.ts';
import {
  decodeIndexCache,
  encodeIndexCache,
  lineText,
  splitIndexFile,
} from '../../src/io/sources/index-cache.ts';
import { IndexSummaries } from '../../src/io/sources/index-summaries.ts';
import type { Version } from '../../src/core/version/version.ts';

const SEED = Number(process.env['TSREG_FUZZ_SEED'] ?? 20_260_101);
const BUDGET_MS = 12_000;
/** Time limit for one input, on a busy machine. */
const MAX_INPUT_MS = 1_000;

/** Returns a seeded random number generator (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const random = randomFrom(SEED);
const pick = <T>(list: readonly T[]): T => {
  const chosen = list[random(list.length)];
  if (chosen === undefined) throw new Error('nothing to pick from');
  return chosen;
};

const NAMES = [
  ...[
    'serde',
    'a',
    'ab',
    'abc',
    'Foo_bar',
    'bücher',
    '../../x',
    '..',
    '.',
    '/etc/passwd',
    'a/b',
    'a\\..\\b',
    'C:x',
  ],
  ...[
    'nul',
    'CON',
    'com1.x',
    '',
    '\0',
    '..a',
    'ab..',
    'a\u202eb',
    '\ud800',
    '😀',
    'x'.repeat(70_000),
    '__proto__',
  ],
];
const VERSIONS = [
  '1.0.0',
  '1.0.0-a.b',
  '1.0.0+../x',
  '../1.0.0',
  '1',
  '',
  '1.0.0-'.repeat(5000),
  '18446744073709551616.0.0',
];
const URLS = [
  'sparse+https://a/',
  'https://a/b.git',
  'file:///x',
  'file://evil/x',
  'ssh://-oX/y',
  'ssh://a@-b/',
  'x',
  '',
  'ext::sh -c x',
];
const ODD: readonly unknown[] = [null, true, 0, -1, 1e300, [], {}, [[]], '', 'x', [null], { a: null }];

/** Returns `honest`, or rarely one of `others`. */
const mostly = <T>(honest: T, others: readonly unknown[]): unknown =>
  random(14) === 0 ? pick(others) : honest;

function dependency(): unknown {
  const dep = {
    name: mostly(pick(['serde', 'log']), NAMES),
    req: mostly('^1', ['*', '>=1, <2', '1'.repeat(3000), '', '^']),
    kind: mostly('normal', ['dev', 'build', 'x', null]),
    ...(random(3) === 0 ? { package: mostly('real', [...NAMES, null]) } : {}),
    ...(random(3) === 0 ? { registry: mostly(null, URLS) } : {}),
    ...(random(3) === 0 ? { target: mostly('cfg(unix)', ['cfg(not('.repeat(500), 'x', null]) } : {}),
    ...(random(3) === 0 ? { features: mostly(['a', ''], [[1], null]) } : {}),
  };
  return mostly(dep, ODD);
}

function line(): string {
  const value: Record<string, unknown> = {
    name: mostly('good', NAMES),
    vers: mostly(`1.0.${random(9)}`, VERSIONS),
    deps: Array.from({ length: random(4) }, dependency),
    cksum: mostly('00'.repeat(32), ['', 'x'.repeat(100), '../x']),
    features: mostly({ a: ['b'], b: [] }, [...ODD, { '../x': ['dep:c'] }, { __proto__x: ['b/c'] }]),
    yanked: mostly(false, [true, null, 1]),
    links: mostly(null, ['x', '../x', 1]),
    v: mostly(1, [2, 3, null, 'x']),
  };
  for (const key of Object.keys(value)) if (random(100) === 0) delete value[key];
  return mutate(JSON.stringify(value));
}

/** Removes, repeats or replaces a few characters of about one text in eight. */
function mutate(text: string): string {
  let mutated = text;
  for (let count = random(8) === 0 ? random(4) : 0; count > 0; count -= 1) {
    const at = random(mutated.length + 1);
    const end = at + random(8);
    const middle = pick([
      '',
      mutated.slice(at, end).repeat(2),
      '\0',
      '\\',
      '"',
      '{',
      ']',
      '\u2028',
      '\ufeff',
      '..',
      '/',
    ]);
    mutated = mutated.slice(0, at) + middle + mutated.slice(end);
  }
  return mutated;
}

/** Fails if a path that is built from the name and the version leaves its folder. */
function expectInside(name: string, version: Version | null): void {
  const paths = [indexPath(name)];
  if (version !== null) paths.push(packageDirName({ name, version }), crateFileName({ name, version }));
  for (const made of paths) {
    const joined = posix.join('/home/folder', made);
    expect(joined.startsWith('/home/folder/')).toBe(true);
    expect(made).not.toMatch(/[\\\0]|(?:^|\/)\.{0,2}(?:\/|$)/);
  }
}

/** Runs `step` until the time budget ends. Returns the number of runs and the duration of the longest. */
function fuzz(step: () => void): { readonly inputs: number; readonly longestMs: number } {
  const end = performance.now() + BUDGET_MS;
  let [inputs, longestMs] = [0, 0];
  for (let now = performance.now(); now < end; inputs += 1) {
    step();
    const after = performance.now();
    longestMs = Math.max(longestMs, after - now);
    now = after;
  }
  return { inputs, longestMs };
}

test('random index lines never lead out of a folder, throw or take long', () => {
  const sources = new SourceTable();
  const from = { original: sources.cratesIo(), actual: sources.cratesIoSparse() };
  const kinds: Record<string, number> = {};
  const result = fuzz(() => {
    const entry = decodeIndexLine(line(), from, sources);
    const kind = entry?.kind ?? 'skipped';
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    if (entry?.kind === 'rejected') expectInside(entry.name, entry.version);
    if (entry?.kind !== 'usable') return;
    const { id, dependencies } = entry.summary;
    expectInside(id.name, id.version);
    for (const { name, source } of dependencies) {
      expectInside(name, null);
      expect(source.url).not.toMatch(/^file:\/\/[^/]|:\/\/-|@-/);
    }
  });
  console.log('index lines', { seed: SEED, ...result, kinds });
  expect(kinds['usable'] ?? 0).toBeGreaterThan(100);
  expect(result.longestMs).toBeLessThan(MAX_INPUT_MS);
});

test('random index files never lead out of a folder, throw or take long', () => {
  const sources = new SourceTable();
  const from = { original: sources.cratesIo(), actual: sources.cratesIoSparse() };
  let mirrored = 0;
  const result = fuzz(() => {
    const bytes = Buffer.from(
      mutate(Array.from({ length: random(40) }, line).join(pick(['\n', '\r\n', '\n\n']))),
    );
    const file = splitIndexFile(bytes, pick(['etag: "x"', 'Unknown', '']));
    const cached = decodeIndexCache(encodeIndexCache(file));
    for (const each of [file, cached]) {
      const summaries = new IndexSummaries(each, { name: 'good', from, sources });
      for (const { id, dependencies } of summaries.all()) {
        expectInside(id.name, id.version);
        for (const { name } of dependencies) expectInside(name, null);
      }
      for (const { version } of summaries.rejected) expectInside('good', version);
      for (const one of each?.lines ?? []) if (each !== null) lineText(each, one);
    }
    if ('body' in checkIndexFile(bytes, 'good')) mirrored += 1;
  });
  console.log('index files', { seed: SEED, ...result, mirrored });
  expect(result.longestMs).toBeLessThan(MAX_INPUT_MS);
});
