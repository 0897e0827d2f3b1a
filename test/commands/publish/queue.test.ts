import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CRATES_IO_LIMITS, type PublishKind, secondsToPublish } from '../../../src/commands/publish/plan.ts';
import { circularPackages, PublishQueue, publishRounds } from '../../../src/commands/publish/queue.ts';
import { makePackageId } from '../../../src/core/package-id/package-id.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { parseVersion } from '../../../src/core/version/version.ts';

const sources = new SourceTable();
const node = (name: string) => ({
  id: makePackageId(name, parseVersion('1.0.0'), sources.forPath(`/ws/${name}`)),
});
type Node = ReturnType<typeof node>;
const namesOf = (nodes: readonly Node[]): readonly string[] => nodes.map(({ id }) => id.name);

describe('PublishPlan', () => {
  const [a, b, c, d] = [node('a'), node('b'), node('c'), node('d')];
  const needs = new Map<Node, readonly Node[]>([
    [d, []],
    [c, [a, b]],
    [b, [a]],
    [a, []],
  ]);

  test('hands out each package once, after all its dependencies are confirmed', () => {
    const plan = new PublishQueue(needs);
    expect(namesOf(plan.remaining)).toEqual(['a', 'b', 'c', 'd']);
    expect(namesOf(plan.takeReady())).toEqual(['a', 'd']);
    expect(namesOf(plan.takeReady())).toEqual([]);
    plan.confirm([d]);
    expect(namesOf(plan.takeReady())).toEqual([]);
    plan.confirm([a]);
    expect(namesOf(plan.takeReady())).toEqual(['b']);
    expect(namesOf(plan.remaining)).toEqual(['c']);
    plan.confirm([b]);
    expect(namesOf(plan.takeReady())).toEqual(['c']);
    expect(plan.remaining).toEqual([]);
  });

  test('groups packages into rounds and leaves out cycles', () => {
    expect(publishRounds(needs).map(namesOf)).toEqual([['a', 'd'], ['b'], ['c']]);
    const circular = new Map<Node, readonly Node[]>([
      [a, [b]],
      [b, [a]],
      [c, [a]],
      [d, []],
    ]);
    expect(publishRounds(circular).map(namesOf)).toEqual([['d']]);
    expect(namesOf(circularPackages(circular))).toEqual(['a', 'b', 'c']);
    expect(circularPackages(needs)).toEqual([]);
  });

  test('puts every package of an acyclic graph after its dependencies', () => {
    const graph = fc.array(fc.array(fc.nat(30), { maxLength: 4 }), { maxLength: 30 });
    fc.assert(
      fc.property(graph, (edges) => {
        const nodes = edges.map((_, index) => node(`p${index}`));
        // Edges to earlier packages only, so that there are no cycles.
        const before = edges.map((list, index) =>
          [...new Set(list)].filter((to) => to < index).flatMap((to) => nodes[to] ?? []),
        );
        const all = new Map(nodes.map((each, index) => [each, before[index] ?? []] as const));
        const order = publishRounds(all).flat();
        expect(new Set(order)).toEqual(new Set(nodes));
        for (const [each, needed] of all) {
          for (const other of needed) expect(order.indexOf(other)).toBeLessThan(order.indexOf(each));
        }
      }),
    );
  });
});

describe('secondsToPublish', () => {
  const times = (count: number, kind: PublishKind): PublishKind[] => Array<PublishKind>(count).fill(kind);

  test.each([
    [[], 0],
    [times(5, 'new-crate'), 0],
    [times(6, 'new-crate'), 600],
    [times(8, 'new-crate'), 1800],
    [times(30, 'new-version'), 0],
    [times(33, 'new-version'), 180],
    [[...times(30, 'new-version'), ...times(5, 'new-crate')], 0],
    [[...times(35, 'new-version'), ...times(6, 'new-crate')], 600],
  ])('returns the waiting time of case %#', (kinds, seconds) => {
    expect(secondsToPublish(kinds, CRATES_IO_LIMITS)).toBe(seconds);
  });
});
