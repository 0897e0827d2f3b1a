/** What a question to `tree` led to, where everything that it was answered from is still the same. */
import type { Warning } from '../errors/warning.ts';
import type { Forest, ShownGraph, ShownPackage } from '../tree/forest.ts';
import { EDGE_KINDS, type EdgeKind, type TreeNode } from '../tree/graph.ts';
import type { AnswerKey } from './answer-record.ts';
import { Container, encodeContainer } from './container.ts';
import { DamagedRecordError } from './damaged-record-error.ts';
import { readWarning, writeWarning } from './printed-record.ts';
import { RecordReader, RecordWriter } from './record.ts';
import type { RecordFile } from './record-file.ts';

/** A package of a forest, with what is not asked of most of them left to its own record. */
export interface ForestPackage extends Omit<ShownPackage, 'id' | 'license' | 'repository'> {
  /**
   * Where it is recorded. From 0 on that counts the recorded dependencies; from -1 down the members of the workspace
   * and then its path packages.
   */
  readonly record: number;
  readonly isMember: boolean;
  readonly isPruned: boolean;
}

/** A forest and what goes with it. */
export interface KeptForest {
  /** Packages that had to be on disk, as indexes into the recorded dependencies. */
  readonly needed: readonly number[];
  /** What is said of it. */
  readonly warnings: readonly Warning[];
  /** Null where there was nothing to show. */
  readonly forest: Pick<Forest, 'graph' | 'roots' | 'targets'> | null;
  /** By the index that nodes refer to. */
  readonly packages: ReadonlyMap<number, ForestPackage>;
}

const KIND_NUMBERS: Readonly<Record<TreeNode['kind'], number>> = { package: 0, feature: 1 };

/** The record of a forest. */
export function encodeForest(kept: KeptForest, key: AnswerKey): Uint8Array {
  const out = new RecordWriter();
  for (const text of [key.question, key.workspace, key.dependencies]) out.string(text);
  const writeInt = (value: number): void => out.int(value);
  out.list(kept.needed, writeInt);
  out.list(kept.warnings, (warning) => writeWarning(warning, out));
  out.int(kept.forest === null ? 0 : 1);
  if (kept.forest !== null) {
    const { graph, roots, targets } = kept.forest;
    out.list(roots, writeInt);
    out.list(targets, (target) => out.string(target));
    out.list(Array.from(graph.commandLineFeatures), writeInt);
    out.list(graph.nodes, (node, index) => {
      writeNode(node, out);
      for (const kind of EDGE_KINDS) out.list(graph.targets(index, kind), writeInt);
    });
    out.map(kept.packages, (index, each) => {
      out.int(index);
      writePackage(each, out);
    });
  }
  return encodeContainer(new Map(out.blocks('forest')));
}

/**
 * Reads a record. null if it is of another format, or answers something else. Throws `DamagedRecordError` if it is
 * damaged.
 */
export function decodeForest(file: RecordFile, key: AnswerKey): KeptForest | null {
  const container = Container.open(file);
  if (container === null) return null;
  const input = new RecordReader(container, 'forest');
  const isSame = [key.question, key.workspace, key.dependencies].every((text) => input.string() === text);
  if (!isSame) return null;
  const readInt = (): number => input.int();
  const needed = input.list(readInt);
  const warnings = input.list(() => readWarning(input));
  if (input.int() === 0) return { needed, warnings, forest: null, packages: new Map() };
  const roots = input.list(readInt);
  const targets = input.list(() => input.string());
  const commandLineFeatures = new Set(input.list(readInt));
  const nodes: TreeNode[] = [];
  const edges: (readonly (readonly number[])[])[] = [];
  input.list(() => {
    nodes.push(readNode(input));
    edges.push(EDGE_KINDS.map(() => input.list(readInt)));
  });
  const packages = new Map(input.list(() => [input.int(), readPackage(input)] as const));
  const graph: ShownGraph = {
    nodes,
    commandLineFeatures,
    targets: (from, kind) => edges[from]?.[kindIndex(kind)] ?? [],
    hasEdges: (from) => edges[from]?.some((each) => each.length > 0) === true,
  };
  return { needed, warnings, forest: { graph, roots, targets }, packages };
}

function kindIndex(kind: EdgeKind): number {
  return EDGE_KINDS.indexOf(kind);
}

function writeNode(node: TreeNode, out: RecordWriter): void {
  out.int(KIND_NUMBERS[node.kind]);
  if (node.kind === 'feature') {
    out.int(node.of);
    out.string(node.name);
    return;
  }
  out.int(node.package);
  out.int(node.target);
  out.list(node.features, (feature) => out.string(feature));
}

function readNode(input: RecordReader): TreeNode {
  switch (input.int()) {
    case KIND_NUMBERS.feature:
      return { kind: 'feature', of: input.int(), name: input.string() };
    case KIND_NUMBERS.package:
      return {
        kind: 'package',
        package: input.int(),
        target: input.int(),
        features: input.list(() => input.string()),
      };
    default:
      throw new DamagedRecordError('node');
  }
}

function writePackage(each: ForestPackage, out: RecordWriter): void {
  out.int(each.record);
  for (const text of [each.name, each.version, each.title, each.libraryName]) out.string(text);
  for (const flag of [each.isProcMacro, each.isMember, each.isPruned]) out.int(flag ? 1 : 0);
}

function readPackage(input: RecordReader): ForestPackage {
  const record = input.int();
  const [name, version, title] = [input.string(), input.string(), input.string()];
  const libraryName = input.optionalString();
  const [isProcMacro, isMember, isPruned] = [input.int() === 1, input.int() === 1, input.int() === 1];
  return { record, name, version, title, libraryName, isProcMacro, isMember, isPruned };
}
