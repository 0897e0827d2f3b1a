import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveGreedily } from '../../../src/core/resolve/greedy-resolution.ts';

import { type Problem, type SummaryTable, UNKNOWN } from '../../../src/core/resolve/problem.ts';
import { solve } from '../../../src/core/resolve/solve.ts';
import type { Summary } from '../../../src/core/summary/summary.ts';
import { parseRustVersion } from '../../../src/core/version/partial-version.ts';
import { world } from './generated-world.ts';
import { show, versions, World } from './registry.ts';

const requirement = fc.constantFrom('*', '*', '1', '=1.0.1', '>=1');

describe('greedy resolution', () => {
  it('finds the same as a search after an edit of a member', () => {
    const counts = { found: 0, others: 0 };
    const absent = fc.uniqueArray(fc.constantFrom('a 1.0.1', 'b 1.1.0', 'c 1.0.0', 'd 2.0.0'), {
      maxLength: 1,
    });
    fc.assert(
      fc.property(world, requirement, requirement, absent, (generated, one, other, notDownloaded) => {
        const { world: made, plain } = generated;
        const first = solve(made.problem([plain]), made.table);
        if (first.kind !== 'done') return;
        made.add('new 1.0.0', { deps: { c: one, d: other } });
        const more = made.path('/more', 'more 0.1.0', { deps: { new: '1' } });
        const member = { ...plain, dependencies: [...plain.dependencies, ...more.dependencies] };
        for (const each of notDownloaded) made.notDownloaded.add(each);
        const rustVersions = [parseRustVersion('1.70')];
        const problem = made.problem([member], {
          ...{ locks: made.locks(first.resolution, [member]), offline: true, rustVersions },
        });
        const found = resolveGreedily(problem, made.table, null);
        const searched = solve(problem, made.table);
        if (found === null) {
          counts.others++;
          return;
        }
        counts.found++;
        expect(searched.kind).toBe('done');
        if (searched.kind === 'done') expect(found).toEqual(searched.resolution);
      }),
      { numRuns: 600 },
    );
    expect(counts.found).toBeGreaterThan(10);
    expect(counts.others).toBeGreaterThan(10);
  });

  it('reads only the locked version of a package that the lock file has', () => {
    const { made, problem } = edited();
    const asked: string[] = [];
    const table = {
      ...made.table,
      downloaded: (...question: Parameters<NonNullable<SummaryTable['downloaded']>>) => {
        const found = made.table.downloaded?.(...question) ?? UNKNOWN;
        if (found !== UNKNOWN) asked.push(...found.map(({ id }) => `${id.name} ${id.version.text}`));
        return found;
      },
    };
    const found = resolveGreedily(problem(), table, null);
    expect(found === null ? [] : versions(found)).toEqual(['a 1.0.0', 'b 1.0.0', 'new 1.1.0']);
    expect(asked).toEqual(['a 1.0.0', 'new 1.0.0', 'new 1.1.0', 'b 1.0.0']);
  });

  it('returns null if two candidates conflict', () => {
    const { made, problem } = edited();
    made.add('new 1.2.0', { deps: { b: '=1.1.0' } });
    expect(resolveGreedily(problem(), made.table, null)).toBeNull();
    expect(versions(made.resolve(problem()))).toEqual(['a 1.0.0', 'b 1.0.0', 'new 1.1.0']);
  });

  it('returns null with network access, and without a lock file', () => {
    const { made, problem } = edited();
    expect(resolveGreedily(problem({ offline: false }), made.table, null)).toBeNull();
    const { locks } = made.problem([]);
    expect(resolveGreedily(problem({ locks }), made.table, null)).toBeNull();
    expect(show(made.resolve(problem({ locks })))).not.toEqual(show(made.resolve(problem())));
  });
});

/** Creates a member that depended on `a`, which depends on `b`, and now depends on `new` too. */
function edited(): { readonly made: World; readonly problem: (rest?: Partial<Problem>) => Problem } {
  const made = new World();
  made.add('a 1.0.0', { deps: { b: '1' } });
  made.add('b 1.0.0');
  const before = made.path('/p', 'p 0.1.0', { deps: { a: '1' } });
  const first = made.resolve(made.problem([before]));
  made.add('a 1.1.0');
  made.add('b 1.1.0');
  made.add('new 1.0.0');
  made.add('new 1.1.0', { deps: { b: '1' } });
  const member: Summary = made.path('/p', 'p 0.1.0', { deps: { a: '1', new: '1' } });
  const locks = made.locks(first, [member]);
  return { made, problem: (rest = {}) => made.problem([member], { locks, offline: true, ...rest }) };
}
