import { describe, expect, it } from 'vitest';
import { resolveFeatures } from '../../../src/core/resolve/feature-resolver.ts';
import type { Summary } from '../../../src/core/summary/summary.ts';
import { buildTreeGraph } from '../../../src/core/tree/build-graph.ts';
import type { TreeGraph } from '../../../src/core/tree/graph.ts';
import { parsePattern } from '../../../src/core/tree/pattern.ts';
import { printTree } from '../../../src/core/tree/print-tree.ts';
import { World } from '../resolve/registry.ts';

/** More steps than the call stack holds. */
const LENGTH = 6000;

/** Returns the graph that `member` leads to. */
function graphOf(world: World, member: Summary, showsFeatures: boolean): TreeGraph {
  const resolution = world.resolve(world.problem([member]));
  const requested = { features: [], all: true, default: true };
  const roots = [{ package: resolution.packages.findIndex(({ summary }) => summary === member), requested }];
  const isProcMacro = (): boolean => false;
  const isUsed = (): boolean => true;
  const features = resolveFeatures(resolution, {
    roots,
    separatesHost: true,
    ignoresDev: false,
    isUsed,
    isProcMacro,
    isProcMacroLibrary: isProcMacro,
  });
  return buildTreeGraph(resolution, {
    roots,
    features,
    kinds: new Set(['normal'] as const),
    targetCount: 1,
    showsFeatures,
    hidesProcMacros: false,
    isUsed,
    isProcMacro,
  });
}

describe('a tree', () => {
  it('can be very deep', () => {
    const world = new World();
    for (let at = 1; at < LENGTH; at++) {
      world.add(`c${at} 1.0.0`, at + 1 < LENGTH ? { deps: { [`c${at + 1}`]: '1' } } : {});
    }
    const graph = graphOf(world, world.path('/c0', 'c0 1.0.0', { deps: { c1: '1' } }), false);
    expect(graph.nodes).toHaveLength(LENGTH);
    let text = '';
    printTree(
      {
        graph,
        roots: [0],
        targets: [],
        packageAt: (index) => ({
          name: 'c',
          version: '1.0.0',
          title: `package ${index}`,
          id: 'c',
          isProcMacro: false,
          license: null,
          repository: null,
          libraryName: null,
        }),
        isMember: () => false,
        isPruned: () => false,
      },
      {
        pattern: parsePattern('{p}'),
        prefix: 'depth',
        charset: 'ascii',
        repeats: false,
        maxDepth: LENGTH,
        membersOnly: false,
        color: false,
      },
      (part) => {
        text += part;
      },
    );
    expect(text.split('\n')).toHaveLength(LENGTH + 1);
    expect(text).toContain(`\n${LENGTH - 1}package `);
  });

  it('can have very long chains of features', () => {
    const world = new World();
    const features = Object.fromEntries(
      Array.from({ length: LENGTH }, (_, at) => [`f${at}`, at + 1 < LENGTH ? [`f${at + 1}`] : []]),
    );
    world.add('a 1.0.0', { features });
    const member = world.path('/p', 'p 0.1.0', { deps: { a: { features: ['f0'], default: false } } });
    const graph = graphOf(world, member, true);
    expect(graph.nodes.filter((node) => node.kind === 'feature' && node.name !== 'default')).toHaveLength(
      LENGTH,
    );
  });
});
