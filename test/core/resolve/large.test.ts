import { describe, expect, it } from 'vitest';
import { show, World } from './registry.ts';

/** More steps than the call stack holds, even with small frames. */
const LENGTH = 15_000;

describe('large graphs', () => {
  it('can be very deep', () => {
    const made = new World();
    for (let at = 1; at < LENGTH; at++) {
      made.add(`c${at} 1.0.0`, at + 1 < LENGTH ? { deps: { [`c${at + 1}`]: '1' } } : {});
    }
    const member = made.path('/c0', 'c0 1.0.0', { deps: { c1: '1' } });
    const first = made.resolve(made.problem([member]));
    expect(first.packages).toHaveLength(LENGTH);
    const locks = made.locks(first, [member]);
    expect(show(made.resolve(made.problem([member], { locks })))).toEqual(show(first));
  });

  it('can have very long cycles, which are reported', () => {
    const made = new World();
    for (let at = 1; at < LENGTH; at++) {
      made.add(`c${at} 1.0.0`, { deps: { [`c${(at % (LENGTH - 1)) + 1}`]: '1' } });
    }
    const member = made.path('/c0', 'c0 1.0.0', { deps: { c1: '1' } });
    expect(() => made.resolve(made.problem([member]))).toThrow(
      'cyclic package dependency: package `c1 v1.0.0` depends on itself. Cycle:',
    );
  });

  it('can have very long chains of features', () => {
    const made = new World();
    const features = Object.fromEntries(
      Array.from({ length: LENGTH }, (_, at) => [`f${at}`, at + 1 < LENGTH ? [`f${at + 1}`] : []]),
    );
    made.add('a 1.0.0', { features });
    const member = made.path('/p', 'p 0.1.0', { deps: { a: { req: '1', features: ['f0'] } } });
    const { packages } = made.resolve(made.problem([member]));
    expect(packages[0]?.features).toHaveLength(LENGTH);
  });
});
