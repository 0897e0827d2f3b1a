/** The document as text. Cargo Book: cargo metadata. */
import type { Resolution } from '../resolve/resolution.ts';
import type { TomlValue } from '../toml/value.ts';
import type { GraphNode } from './graph.ts';
import { stringText, stringsText, tomlText } from './json-text.ts';

/** The graph, with ids by index into the packages of the resolution. */
export interface DocumentGraph {
  readonly resolution: Resolution;
  readonly nodes: readonly GraphNode[];
  readonly ids: readonly string[];
  /** Id of the current package; null if the current manifest is virtual. */
  readonly root: string | null;
}

/** JSON text, of which bytes are UTF-8. */
type Text = string | Uint8Array;

/** All that the document says. */
export interface DocumentParts {
  /** The JSON text of each in parts, in the order in which they are printed. */
  readonly packages: readonly (readonly Text[])[];
  /** Ids as JSON texts. */
  readonly workspaceMembers: readonly Text[];
  /** Ids as JSON texts. */
  readonly workspaceDefaultMembers: readonly Text[];
  /** `resolve` as JSON text: `resolveText`, or `null` with `--no-deps`. */
  readonly resolve: Text;
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

/** As bytes, which are copied faster than text. */
const COMMA = Uint8Array.of(0x2c);

/** The document in one line, without the line's end, in parts, of which bytes are UTF-8. */
export function documentText(document: DocumentParts): readonly Text[] {
  const parts: Text[] = ['{"packages":['];
  for (const each of document.packages) {
    if (parts.length > 1) parts.push(COMMA);
    parts.push(...each);
  }
  parts.push('],"workspace_members":[');
  pushList(document.workspaceMembers, parts);
  parts.push('],"workspace_default_members":[');
  pushList(document.workspaceDefaultMembers, parts);
  parts.push(
    '],"resolve":',
    document.resolve,
    `,"target_directory":${stringText(document.targetDirectory)}` +
      `,"build_directory":${stringText(document.buildDirectory)}` +
      `,"version":1,"workspace_root":${stringText(document.workspaceRoot)}` +
      `,"metadata":${document.metadataText}}`,
  );
  return parts;
}

function pushList(items: readonly Text[], parts: Text[]): void {
  const first = parts.length;
  for (const item of items) {
    if (parts.length > first) parts.push(COMMA);
    parts.push(item);
  }
}

/** Text in parts as UTF-8. */
export function bytesOfParts(parts: readonly Text[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
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
