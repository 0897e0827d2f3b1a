/** A dependency tree as lines of text. Cargo Book: cargo tree, Tree Formatting Options. */
import { present } from '../errors/assert.ts';
import { sanitizeForTerminal } from '../errors/sanitize-for-terminal.ts';
import { EDGE_KINDS, type EdgeKind, featureOwner } from './graph.ts';
import { type DependencyTree, isShownBelowRoots } from './dependency-tree.ts';
import type { PatternField, PatternPart } from './pattern.ts';
import { visitDepthFirst } from './visit-depth-first.ts';

/** The start of each line. */
export type Prefix = 'depth' | 'indent' | 'none';

/** Options for printing a tree. */
export interface PrintOptions {
  readonly pattern: readonly PatternPart[];
  readonly prefix: Prefix;
  readonly charset: 'utf8' | 'ascii';
  /** True if nodes that were already shown are shown again. */
  readonly repeats: boolean;
  /** The maximum number of levels below the roots. */
  readonly maxDepth: number;
  /** True if only workspace members are shown below the roots. */
  readonly membersOnly: boolean;
  readonly color: boolean;
}

/** The parts of the lines between nodes. */
interface Symbols {
  readonly down: string;
  readonly tee: string;
  readonly ell: string;
}

/** cargo's symbols. */
const SYMBOLS: Readonly<Record<PrintOptions['charset'], Symbols>> = {
  utf8: { down: '│', tee: '├──', ell: '└──' },
  ascii: { down: '|', tee: '|--', ell: '`--' },
};

/** Styles of the lines of a tree, as in cargo: dim, or a color. */
const LINE_STYLES: Readonly<Record<EdgeKind, string>> = {
  normal: '\x1b[2m',
  build: '\x1b[1m\x1b[34m',
  dev: '\x1b[1m\x1b[36m',
  feature: '\x1b[2m\x1b[35m',
};
const RESET = '\x1b[0m';
/** Ends a color and bold or dim text. */
const END = '\x1b[39m\x1b[22m';
const DIM_YELLOW = '\x1b[33m\x1b[2m';
const BOLD_BRIGHT_BLUE = '\x1b[94m\x1b[1m';
const BOLD_BRIGHT_CYAN = '\x1b[96m\x1b[1m';

/** The targets of a node's edges of one kind. */
interface Section {
  readonly heading: string | null;
  readonly targets: readonly number[];
  readonly middle: Branch;
  /** The branch of the last target. */
  readonly last: Branch;
}

/** The text before a target, and before the lines below it. */
interface Branch {
  readonly start: string;
  readonly indent: string;
}

/** A node to print. `start` precedes the node itself, `indent` the lines below it. */
interface Line {
  readonly node: number;
  readonly start: string;
  readonly indent: string;
}

/** Output is written in pieces of about this many characters. */
const PIECE_LENGTH = 65_536;

/** Prints a dependency tree, one root after the other. Calls `write` for each piece of text. */
export function printTree(
  dependencyTree: DependencyTree,
  options: PrintOptions,
  write: (text: string) => void,
): void {
  const printer = new Printer(dependencyTree, options, write);
  printer.run();
}

class Printer {
  readonly #dependencyTree: DependencyTree;
  readonly #options: PrintOptions;
  readonly #write: (text: string) => void;
  readonly #symbols: Symbols;
  /** The mark of nodes whose dependencies are omitted, because they were shown before. */
  readonly #star: string;
  /** Nodes that were printed. */
  readonly #shown = new Set<number>();
  /** The nodes from the root to the current node. */
  readonly #path = new Set<number>();
  /** Texts of nodes, and the sections below them, by index. */
  readonly #texts: (string | undefined)[] = [];
  readonly #sections: (readonly Section[] | undefined)[] = [];
  /** Text that is not written yet. */
  #pending = '';

  constructor(dependencyTree: DependencyTree, options: PrintOptions, write: (text: string) => void) {
    this.#dependencyTree = dependencyTree;
    this.#options = options;
    this.#write = write;
    this.#symbols = SYMBOLS[options.charset];
    this.#star = options.color ? ` ${DIM_YELLOW}(*)${END}` : ' (*)';
  }

  /** Prints the tree. Call it once. */
  run(): void {
    for (const [position, root] of this.#dependencyTree.roots.entries()) {
      if (position > 0) this.#line('');
      visitDepthFirst({ node: root, start: '', indent: '' }, (line) => this.#printNode(line));
    }
    this.#write(this.#pending);
  }

  /** Prints a node. Returns what is below it, to be printed in this order. */
  #printNode({ node, start, indent }: Line): Iterable<Line> {
    const { repeats, prefix } = this.#options;
    const isNew = repeats || !this.#shown.has(node);
    this.#shown.add(node);
    // The path contains it in a cycle, which `repeats` must not follow.
    const isOmitted = !isNew || this.#path.has(node);
    const star = isOmitted && this.#dependencyTree.graph.hasEdges(node) ? this.#star : '';
    const lineStart = prefix === 'depth' ? String(this.#path.size) : start;
    this.#line(lineStart + this.#textOf(node) + star);
    return isOmitted ? [] : this.#below(node, indent);
  }

  /** Prints the sections below a node. Yields their nodes. Meanwhile, the path contains the node. */
  *#below(node: number, indent: string): Generator<Line> {
    this.#path.add(node);
    for (const section of (this.#sections[node] ??= this.#sectionsOf(node)))
      yield* this.#printSection(section, indent);
    this.#path.delete(node);
  }

  /** Prints the heading of a section. Yields its targets. */
  *#printSection({ heading, targets, middle, last }: Section, indent: string): Generator<Line> {
    const { prefix, maxDepth } = this.#options;
    const isIndented = prefix === 'indent';
    if (isIndented && heading !== null) this.#line(indent + heading);
    if (this.#path.size > maxDepth) return;
    for (const [position, target] of targets.entries()) {
      const branch = position === targets.length - 1 ? last : middle;
      if (isIndented) yield { node: target, start: indent + branch.start, indent: indent + branch.indent };
      else yield { node: target, start: '', indent: '' };
    }
  }

  /** Returns the sections below a node that have targets, even if all of them are hidden. */
  #sectionsOf(node: number): readonly Section[] {
    const { down, tee, ell } = this.#symbols;
    return EDGE_KINDS.flatMap((kind): readonly Section[] => {
      const all = this.#dependencyTree.graph.targets(node, kind);
      if (all.length === 0) return [];
      const paint = (text: string): string => this.#paint(kind, text);
      return [
        {
          heading: this.#heading(kind),
          targets: all.filter((target) => isShownBelowRoots(this.#dependencyTree, target, this.#options)),
          middle: { start: `${paint(tee)} `, indent: `${paint(down)}   ` },
          last: { start: `${paint(ell)} `, indent: `${paint(' ')}   ` },
        },
      ];
    });
  }

  /** Returns the line above the edges of a kind; null if there is none. */
  #heading(kind: EdgeKind): string | null {
    if (kind !== 'build' && kind !== 'dev') return null;
    const text = `[${kind}-dependencies]`;
    if (!this.#options.color) return text;
    return `${kind === 'build' ? BOLD_BRIGHT_BLUE : BOLD_BRIGHT_CYAN}${text}${END}`;
  }

  #paint(kind: EdgeKind, text: string): string {
    return this.#options.color ? LINE_STYLES[kind] + text + RESET : text;
  }

  #textOf(index: number): string {
    return (this.#texts[index] ??= this.#describe(index));
  }

  /** Returns the text of a node: of a package by the pattern, of a feature with the name of its package. */
  #describe(index: number): string {
    const { graph, packageAt } = this.#dependencyTree;
    const node = present(graph.nodes[index], 'a node of the tree');
    if (node.kind === 'package') {
      const shown = packageAt(node.package);
      const texts: Readonly<Record<PatternField, () => string>> = {
        package: () => shown.title,
        license: () => shown.license ?? '',
        repository: () => shown.repository ?? '',
        features: () => node.features.join(','),
        library: () => shown.libraryName ?? '',
      };
      const text = this.#options.pattern
        .map((part) => (part.kind === 'text' ? part.text : texts[part.field]()))
        .join('');
      // Text from manifests stays on one line of the tree, whatever it contains.
      return sanitizeForTerminal(text, 'join');
    }
    const { name } = packageAt(featureOwner(graph.nodes, node).package);
    const remark = graph.commandLineFeatures.has(index) ? ' (command-line)' : '';
    return `${name} feature "${node.name}"${remark}`;
  }

  /** Prints a line, which `#write` may receive later. */
  #line(text: string): void {
    this.#pending += `${text}\n`;
    if (this.#pending.length < PIECE_LENGTH) return;
    this.#write(this.#pending);
    this.#pending = '';
  }
}
