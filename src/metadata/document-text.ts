/** The document as bytes. Cargo Book: cargo metadata. */
import type { Resolution } from '../resolve/resolution.ts';
import type { TomlValue } from '../toml/value.ts';
import type { GraphNode } from './graph.ts';
import { stringText, stringsText, tomlText } from './json-text.ts';

/** JSON text of a package around its id: as text, or as UTF-8 bytes where it was kept from an earlier run. */
export interface PackageBytes {
  readonly head: string | Uint8Array;
  readonly tail: string | Uint8Array;
}

/** One package and its id in the form that is to be printed. */
export interface DocumentPackage {
  readonly id: string;
  readonly text: PackageBytes;
}

/** The graph, with ids by index into the packages of the resolution. */
export interface DocumentGraph {
  readonly resolution: Resolution;
  readonly nodes: readonly GraphNode[];
  readonly ids: readonly string[];
  /** Id of the current package; null if the current manifest is virtual. */
  readonly root: string | null;
}

/** All that the document says. */
export interface DocumentParts {
  /** In the order in which they are printed. */
  readonly packages: readonly DocumentPackage[];
  readonly workspaceMembers: readonly string[];
  readonly workspaceDefaultMembers: readonly string[];
  /** `resolve` as JSON text: `resolveText`, or `null` with `--no-deps`. */
  readonly resolve: string | Uint8Array;
  readonly targetDirectory: string;
  readonly buildDirectory: string;
  readonly workspaceRoot: string;
  /** `[workspace.metadata]` as JSON text. */
  readonly metadataText: string;
}

/** The JSON text of `[workspace.metadata]`, `null` if there is none. */
export function metadataTableText(metadata: TomlValue | null): string {
  return metadata === null ? 'null' : tomlText(metadata);
}

/** The document in one line, without the line's end, as chunks of UTF-8. */
export function documentBytes(parts: DocumentParts): readonly Uint8Array[] {
  const out = new ChunkWriter();
  out.text('{"packages":[');
  parts.packages.forEach(({ id, text }, index) => {
    if (index > 0) out.text(',');
    out.part(text.head);
    out.text(stringText(id));
    out.part(text.tail);
  });
  out.text(`],"workspace_members":${stringsText(parts.workspaceMembers)}`);
  out.text(`,"workspace_default_members":${stringsText(parts.workspaceDefaultMembers)}`);
  out.text(',"resolve":');
  out.part(parts.resolve);
  out.text(`,"target_directory":${stringText(parts.targetDirectory)}`);
  out.text(`,"build_directory":${stringText(parts.buildDirectory)}`);
  out.text(`,"version":1,"workspace_root":${stringText(parts.workspaceRoot)}`);
  out.text(`,"metadata":${parts.metadataText}}`);
  return out.finish();
}

/** `resolve` of the document as JSON text. */
export function resolveText({ resolution, nodes, ids, root }: DocumentGraph): string {
  const quoted = ids.map(stringText);
  const nodeTexts = nodes.map((node) => {
    const { edges } = node;
    const dependencies = edges.map((edge) => quoted[edge.to]).join(',');
    const deps = edges
      .map(
        (edge) => `{"name":${stringText(edge.name)},"pkg":${quoted[edge.to]},"dep_kinds":${edge.kindsText}}`,
      )
      .join(',');
    const features = stringsText(resolution.packages[node.package]?.features ?? []);
    return `{"id":${quoted[node.package]},"dependencies":[${dependencies}],"deps":[${deps}],"features":${features}}`;
  });
  return `{"nodes":[${nodeTexts.join(',')}],"root":${root === null ? 'null' : stringText(root)}}`;
}

/** Collects text and bytes in order; neighbouring texts become one chunk. */
class ChunkWriter {
  readonly #chunks: Uint8Array[] = [];
  #text: string[] = [];

  text(text: string): void {
    this.#text.push(text);
  }

  part(part: string | Uint8Array): void {
    if (typeof part === 'string') {
      this.#text.push(part);
      return;
    }
    this.#flush();
    this.#chunks.push(part);
  }

  finish(): readonly Uint8Array[] {
    this.#flush();
    return this.#chunks;
  }

  #flush(): void {
    if (this.#text.length === 0) return;
    this.#chunks.push(Buffer.from(this.#text.join('')));
    this.#text = [];
  }
}
