import { describe, expect, it } from 'vitest';
import { type LockChange, lockChanges, type LockReport } from '../../../src/core/resolve/lock-changes.ts';
import type { Previous, Problem, MissingSummary } from '../../../src/core/resolve/problem.ts';
import type { Summary } from '../../../src/core/summary/summary.ts';
import { parseRustVersion } from '../../../src/core/version/partial-version.ts';
import { World } from './registry.ts';

const rustc = parseRustVersion('1.95.0');

function report(
  world: World,
  members: readonly Summary[],
  rest: Partial<Problem> = {},
  previous: Previous | null = null,
  scope: 'new' | 'all' = 'new',
): KnownReport {
  const locks = previous === null ? {} : { locks: world.locksOf(previous, members) };
  const problem = world.problem(members, { ...locks, ...rest });
  const changes = lockChanges(world.resolve(problem), {
    previous,
    problem,
    table: world.table,
    lowestRustVersion: problem.rustVersions[0] ?? null,
    rustc,
    publishAge: problem.publishAge,
    scope,
  });
  const known = collect(changes);
  if (known.missingSummaries.length > 0) throw new Error('needs something');
  return known;
}

/** A report whose changes are all computed. */
interface KnownReport extends Omit<LockReport, 'changes'> {
  readonly changes: readonly LockChange[];
  readonly missingSummaries: readonly MissingSummary[];
}

function collect({ count, summary, changes }: LockReport): KnownReport {
  const known: LockChange[] = [];
  for (;;) {
    const next = changes.next();
    if (next.done === true) return { count, summary, changes: known, missingSummaries: next.value };
    known.push(next.value);
  }
}

function lines({ changes }: KnownReport): readonly string[] {
  return changes.map(
    ({ kind, text, note }) => `${kind} ${text}${note === null ? '' : ` ${note.text} ${note.kind}`}`,
  );
}

/** Returns the lines for a new lock file, which has only changes with a note. */
function notes(changes: KnownReport): readonly string[] {
  return lines({ ...changes, changes: changes.changes.filter(({ note }) => note !== null) });
}

describe('the report of a new lock file', () => {
  it('notes newer compatible versions and unsupported Rust versions', () => {
    const world = new World();
    for (const known of ['a 1.0.0', 'a 1.1.0', 'a 2.0.0', 'b 1.0.0', 'b 3.0.0-rc.1']) world.add(known);
    world.add('c 1.0.0', { rust: '1.99' });
    world.add('t 1.0.0', { deps: { u: '1' } });
    for (const known of ['u 1.0.0', 'u 2.0.0']) world.add(known);
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '=1.0.0', b: '1', c: '1', t: '1' } });
    const changes = report(world, [member]);
    expect(changes.count).toBe(5);
    expect(changes.summary).toBe('5 packages to highest compatible versions');
    expect(notes(changes)).toEqual([
      'added a v1.0.0 (available: v1.1.0) available',
      'added c v1.0.0 (requires Rust 1.99) requires-rust',
    ]);
  });

  it('notes only downloaded versions offline, unless none is downloaded', () => {
    const world = new World();
    for (const known of ['a 1.0.0', 'a 1.1.0', 'b 1.0.0', 'b 1.1.0']) world.add(known);
    for (const missing of ['a 1.1.0', 'b 1.0.0', 'b 1.1.0']) world.notDownloaded.add(missing);
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1', b: '=1.0.0' } });
    const changes = report(world, [member], { offline: true });
    expect(notes(changes)).toEqual(['added b v1.0.0 (available: v1.1.0) available']);
  });

  it('notes a version that needs another Rust only as a last resort', () => {
    const world = new World();
    world.add('a 1.0.0');
    world.add('a 1.1.0', { rust: '1.80' });
    world.add('a 2.0.0');
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1' }, rust: '1.60' });
    const rustVersions = [parseRustVersion('1.60')];
    const changes = report(world, [member], { rustVersions });
    expect(changes.summary).toBe('1 package to highest Rust 1.60 compatible version');
    expect(notes(changes)).toEqual(['added a v1.0.0 (available: v2.0.0) available']);
    world.remove('a 2.0.0');
    expect(notes(report(world, [member], { rustVersions }))).toEqual([
      'added a v1.0.0 (available: v1.1.0, requires Rust 1.80) available-anyway',
    ]);
  });

  it('notes a lower version that differs only in its build metadata', () => {
    const world = new World();
    for (const known of ['a 1.0.0+10', 'a 1.0.0+2']) world.add(known);
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    expect(notes(report(world, [member]))).toEqual(['added a v1.0.0+10 (available: v1.0.0+2) available']);
  });

  it('counts no changes if only members are new', () => {
    const world = new World();
    expect(report(world, [world.path('/p', 'p 0.1.0')]).count).toBe(0);
  });

  it('requests versions that are not loaded', () => {
    const world = new World();
    world.add('a 1.0.0');
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const problem = world.problem([member]);
    const resolution = world.resolve(problem);
    world.loaded = new Set();
    const options = {
      previous: null,
      problem,
      table: world.table,
      lowestRustVersion: null,
      rustc,
      publishAge: null,
    };
    expect(collect(lockChanges(resolution, { ...options, scope: 'new' }))).toMatchObject({
      count: 1,
      changes: [],
      missingSummaries: [{ source: world.registry, name: 'a' }],
    });
  });
});

describe('the report of a changed lock file', () => {
  it('lists all changes, and on request members and unchanged packages', () => {
    const world = new World();
    for (const known of ['a 1.0.0', 'b 1.1.0', 'c 1.0.0', 'd 1.0.0', 'd 2.0.0']) world.add(known);
    const before = world.path('/p', 'p 0.1.0', { deps: { a: '1', b: '1', c: '1', d: '1' } });
    const previous = world.previous(world.resolve(world.problem([before])));
    for (const known of ['a 1.1.0', 'b 1.0.0', 'e 1.0.0']) world.add(known);
    const deps = { a: '1.1', b: '=1.0.0', d: '1', d2: { package: 'd', req: '2' }, e: '1' };
    const after = world.path('/p', 'p 0.2.0', { deps });
    expect(lines(report(world, [after], {}, previous))).toEqual([
      'upgraded a v1.0.0 -> v1.1.0',
      'downgraded b v1.1.0 -> v1.0.0 (available: v1.1.0) available',
      'added d v2.0.0',
      'added e v1.0.0',
    ]);
    expect(lines(report(world, [after], {}, previous, 'all'))).toEqual([
      'upgraded a v1.0.0 -> v1.1.0',
      'downgraded b v1.1.0 -> v1.0.0 (available: v1.1.0) available',
      'removed c v1.0.0',
      'added d v2.0.0',
      'unchanged d v1.0.0 (available: v2.0.0) available',
      'added e v1.0.0',
      'upgraded p v0.1.0 (/p) -> v0.2.0',
    ]);
  });

  it('marks a package as behind even if it has another note', () => {
    const world = new World();
    world.add('a 1.0.0', { rust: '1.99' });
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const previous = world.previous(world.resolve(world.problem([member])));
    const [change] = report(world, [member], {}, previous, 'all').changes;
    expect(change).toMatchObject({ isBehind: false, note: { text: '(requires Rust 1.99)' } });
    world.add('a 1.1.0');
    const [behind] = report(world, [member], {}, previous, 'all').changes;
    expect(behind).toMatchObject({
      kind: 'unchanged',
      isBehind: true,
      note: { text: '(requires Rust 1.99)' },
    });
  });
});
