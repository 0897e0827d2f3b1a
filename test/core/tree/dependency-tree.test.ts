import { describe, expect, it } from 'vitest';
import { treeDocument } from '../../../src/core/tree/document.ts';
import { findDuplicates } from '../../../src/core/tree/duplicates.ts';
import type { DependencyTree, ShownPackage } from '../../../src/core/tree/dependency-tree.ts';
import { TreeGraph } from '../../../src/core/tree/graph.ts';
import { parsePattern } from '../../../src/core/tree/pattern.ts';
import { printTree, type PrintOptions } from '../../../src/core/tree/print-tree.ts';

const NAMES = ['root', 'a', 'b', 'c'];

function shown(index: number): ShownPackage {
  const name = NAMES[index] ?? '?';
  const base = { name, version: '1.0.0', title: `${name} v1.0.0`, id: `${name} 1.0.0 (x)` };
  return { ...base, isProcMacro: false, license: null, repository: 'r', libraryName: name };
}

/** Builds the graph root -> a, b; a -> c; b -> a; b -> c with a feature (build); c -> root (dev). */
function sample(): { readonly graph: TreeGraph; readonly nodes: readonly number[] } {
  const graph = new TreeGraph();
  const add = (index: number, features: readonly string[] = []): number =>
    graph.add({ kind: 'package', package: index, features, target: -1 });
  const [root, a, c, b, other] = [add(0), add(1), add(3), add(2), add(3, ['f'])];
  graph.connect(root, b, 'normal');
  graph.connect(root, a, 'normal');
  graph.connect(a, c, 'normal');
  graph.connect(b, a, 'normal');
  graph.connect(b, other, 'build');
  graph.connect(c, root, 'dev');
  return { graph, nodes: [root, a, b, c, other] };
}

function dependencyTree(
  graph: TreeGraph,
  roots: readonly number[],
  more: Partial<DependencyTree> = {},
): DependencyTree {
  const isMember = (index: number): boolean => index === 0;
  return { graph, roots, targets: [], packageAt: shown, isMember, isPruned: () => false, ...more };
}

function print(printed: DependencyTree, more: Partial<PrintOptions> = {}): string {
  let text = '';
  const options: PrintOptions = {
    pattern: parsePattern('{p}'),
    prefix: 'indent',
    charset: 'ascii',
    repeats: false,
    maxDepth: 100,
    membersOnly: false,
    color: false,
    ...more,
  };
  printTree(printed, options, (part) => {
    text += part;
  });
  return text;
}

describe('a printed tree', () => {
  it('marks a repeated package with a star and omits its dependencies', () => {
    const { graph, nodes } = sample();
    expect(print(dependencyTree(graph, nodes.slice(0, 1)))).toBe(`root v1.0.0
|-- a v1.0.0
|   \`-- c v1.0.0
|       [dev-dependencies]
|       \`-- root v1.0.0 (*)
\`-- b v1.0.0
    \`-- a v1.0.0 (*)
    [build-dependencies]
    \`-- c v1.0.0
`);
  });

  it('stops at cycles if it repeats packages', () => {
    const { graph, nodes } = sample();
    expect(print(dependencyTree(graph, nodes.slice(0, 1)), { repeats: true, prefix: 'depth' })).toBe(
      ['0root', '1a', '2c', '3root (*)', '1b', '2a', '3c', '4root (*)', '2c', '']
        .join('\n')
        .replaceAll(/([a-z]+)/g, '$1 v1.0.0'),
    );
  });

  it('stops at the maximum depth, but prints headings of the next sections', () => {
    const { graph, nodes } = sample();
    const [, , b = 0] = nodes;
    expect(print(dependencyTree(graph, [b]), { maxDepth: 0 })).toBe('b v1.0.0\n[build-dependencies]\n');
    expect(print(dependencyTree(graph, [b]), { membersOnly: true })).toBe('b v1.0.0\n[build-dependencies]\n');
  });

  it('hides pruned packages and puts an empty line between trees', () => {
    const { graph, nodes } = sample();
    const [root = 0, , b = 0] = nodes;
    const pruned = dependencyTree(graph, [b, root], { isPruned: (index) => index === 1 });
    expect(print(pruned, { prefix: 'none' })).toBe('b v1.0.0\nc v1.0.0\n\nroot v1.0.0\nb v1.0.0 (*)\n');
  });

  it('colors edges by their kind', () => {
    const { graph, nodes } = sample();
    const text = print(dependencyTree(graph, nodes.slice(2, 3)), {
      color: true,
      charset: 'utf8',
      maxDepth: 1,
    });
    expect(text).toBe(
      'b v1.0.0\n\x1b[2m└──\x1b[0m a v1.0.0\n\x1b[94m\x1b[1m[build-dependencies]\x1b[39m\x1b[22m\n' +
        '\x1b[1m\x1b[34m└──\x1b[0m c v1.0.0\n',
    );
  });

  it('is written in several pieces', () => {
    const graph = new TreeGraph();
    const name = 'x'.repeat(1000);
    const indexes = Array.from({ length: 200 }, (_, index) =>
      graph.add({ kind: 'package', package: index, features: [], target: -1 }),
    );
    const pieces: string[] = [];
    const packages = (): ShownPackage => ({ ...shown(0), title: name });
    const options = {
      prefix: 'none',
      charset: 'utf8',
      repeats: false,
      maxDepth: 9,
      membersOnly: false,
    } as const;
    printTree(
      dependencyTree(graph, indexes, { packageAt: packages }),
      { ...options, pattern: parsePattern('{p}'), color: false },
      (text) => pieces.push(text),
    );
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join('')).toBe(indexes.map(() => `${name}\n`).join('\n'));
  });
});

describe('a graph', () => {
  it('can be inverted', () => {
    const { graph, nodes } = sample();
    const [root, a, b, c = 0] = nodes;
    graph.invert();
    expect(graph.targets(c, 'normal')).toEqual([a]);
    expect(graph.targets(a ?? 0, 'normal')).toEqual([root, b]);
    expect(graph.targets(c, 'build')).toEqual([]);
    expect(graph.targets(root ?? 0, 'dev')).toEqual([c]);
  });

  it('finds duplicates among the reachable packages', () => {
    const { graph, nodes } = sample();
    const [root = 0, a = 0, , c, other] = nodes;
    const nameOf = (index: number): string => NAMES[index] ?? '';
    expect(findDuplicates(graph, graph.keepReachable([root]), nameOf)).toEqual([c, other]);
    const small = sample().graph;
    // Only one of the two builds of c is in the set.
    expect(findDuplicates(small, new Set([a, c ?? 0]), nameOf)).toEqual([]);
  });

  it('does not count equal builds for host and target as duplicates', () => {
    const graph = new TreeGraph();
    const host = graph.add({ kind: 'package', package: 1, features: ['f'], target: -1 });
    const target = graph.add({ kind: 'package', package: 1, features: ['f'], target: 0 });
    expect(findDuplicates(graph, new Set([host, target]), () => 'a')).toEqual([]);
  });
});

describe('the tree document', () => {
  it('has nodes, edges and duplicates', () => {
    const { graph, nodes } = sample();
    const document = treeDocument(dependencyTree(graph, nodes.slice(0, 1)));
    expect(document.nodes.map((node) => node.name)).toEqual(['root', 'a', 'b', 'c', 'c']);
    expect(document.edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`)).toEqual([
      '0 normal 1',
      '0 normal 2',
      '1 normal 3',
      '2 normal 1',
      '2 build 4',
      '3 dev 0',
    ]);
    expect(document.duplicates).toEqual([{ name: 'c', nodes: [3, 4] }]);
    expect(document.roots).toEqual([0]);
  });

  it('is limited to the maximum depth or to members, and empty without a tree', () => {
    const { graph, nodes } = sample();
    const limited = treeDocument(dependencyTree(graph, nodes.slice(0, 1)), {
      maxDepth: 1,
      membersOnly: false,
    });
    expect(limited.nodes.map((node) => node.name)).toEqual(['root', 'a', 'b']);
    expect(limited.edges).toHaveLength(3);
    const members = treeDocument(dependencyTree(graph, nodes.slice(0, 1)), {
      maxDepth: 9,
      membersOnly: true,
    });
    expect(members.nodes).toHaveLength(1);
    expect(treeDocument(null)).toEqual({ version: 1, roots: [], nodes: [], edges: [], duplicates: [] });
  });
});
