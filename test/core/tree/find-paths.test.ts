import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Resolution } from '../../../src/core/resolve/resolution.ts';
import { PathFinder } from '../../../src/core/tree/find-paths.ts';
import { World } from '../resolve/registry.ts';

type Graph = Readonly<Record<string, readonly string[]>>;

/** Resolves packages of the same names as the keys; dependencies come after their dependents in the graph. */
function resolutionOf(graph: Graph): Resolution {
  const world = new World();
  for (const [name, targets] of Object.entries(graph)) {
    world.add(`${name} 1.0.0`, { deps: Object.fromEntries(targets.map((target) => [target, '1'])) });
  }
  const everything = Object.fromEntries(Object.keys(graph).map((name) => [name, '1']));
  return world.resolve(world.problem([world.path('/root', 'root 0.1.0', { deps: everything })]));
}

/** Yields the paths as names. */
function* pathsOf(
  resolution: Resolution,
  { from, to }: { readonly from: readonly string[]; readonly to: string },
): Generator<string> {
  const names = resolution.packages.map(({ id }) => id.name);
  const finder = new PathFinder(resolution, names.indexOf(to), () => true);
  for (const path of finder.from(from.map((name) => names.indexOf(name))))
    yield path.map((step) => names[step.package]).join(' ');
}

function allPaths(graph: Graph, from: string, to: string): readonly string[] {
  if (from === to) return [to];
  return (graph[from] ?? []).flatMap((next) => allPaths(graph, next, to).map((rest) => `${from} ${rest}`));
}

describe('PathFinder', () => {
  it('yields the shortest paths first', () => {
    const resolution = resolutionOf({ a: ['b', 'd'], b: ['c'], c: ['d'], d: ['e'], e: [] });
    expect([...pathsOf(resolution, { from: ['a'], to: 'e' })]).toEqual(['a d e', 'a b c d e']);
    expect([...pathsOf(resolution, { from: ['a', 'c'], to: 'e' })]).toEqual(['a d e', 'c d e', 'a b c d e']);
    expect([...pathsOf(resolution, { from: ['e'], to: 'a' })]).toEqual([]);
    expect([...pathsOf(resolution, { from: ['e'], to: 'e' })]).toEqual(['e']);
  });

  it('follows only active declarations, and repeats no package', () => {
    const world = new World();
    world.add('x 1.0.0');
    const p = world.path('/p', 'p 0.1.0', {
      deps: { x: { req: '1', target: 'cfg(windows)' }, q: { path: '/q', kind: 'dev' } },
    });
    const q = world.path('/q', 'q 0.1.0', { deps: { p: { path: '/p' }, x: '1' } });
    const resolution = world.resolve(world.problem([p, q]));
    const names = resolution.packages.map(({ id }) => id.name);
    const found = (isActive: ConstructorParameters<typeof PathFinder>[2]): readonly string[] => {
      const paths = new PathFinder(resolution, names.indexOf('x'), isActive).from([names.indexOf('p')]);
      return Array.from(paths, (path) => path.map((step) => names[step.package]).join(' '));
    };
    expect(found(() => true)).toEqual(['p x', 'p q x']);
    expect(found(({ platform }) => platform === null)).toEqual(['p q x']);
    expect(found(({ kind, platform }) => platform === null && kind !== 'dev')).toEqual([]);
  });

  it('finds exactly the paths of any graph, in the order of their lengths', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const graphs = fc.tuple(...names.map((_, index) => fc.subarray(names.slice(index + 1))));
    fc.assert(
      fc.property(graphs, (targets) => {
        const graph = Object.fromEntries(names.map((name, index) => [name, targets[index] ?? []]));
        const paths = [...pathsOf(resolutionOf(graph), { from: ['a'], to: 'g' })];
        expect(paths.toSorted()).toEqual(allPaths(graph, 'a', 'g').toSorted());
        const lengths = paths.map((path) => path.length);
        expect(lengths).toEqual(lengths.toSorted((left, right) => left - right));
      }),
      { numRuns: 60 },
    );
  });

  it('yields the first paths of a graph with very many at once', () => {
    const layers = Array.from({ length: 40 }, (_, layer) => [`l${layer}`, `r${layer}`]);
    const graph: Record<string, readonly string[]> = { a: layers[0] ?? [] };
    for (const [index, layer] of layers.entries())
      for (const name of layer) graph[name] = layers[index + 1] ?? ['z'];
    graph['z'] = [];
    const paths = pathsOf(resolutionOf(graph), { from: ['a'], to: 'z' });
    const first = Array.from({ length: 100 }, () => paths.next().value);
    expect(new Set(first).size).toBe(100);
  });
});
