/** The document as text. Cargo Book: cargo metadata. */
import { present } from '../errors/assert.ts';
import type { TextSink, TextWriter } from '../files/text-sink.ts';
import type { Resolution } from '../resolve/resolution.ts';
import type { TomlValue } from '../toml/value.ts';
import { DOCUMENT_FIELDS, type DocumentField } from './document-fields.ts';
import type { GraphNode } from './graph.ts';
import { stringText, stringsText, tomlText } from './json-text.ts';

/** The graph, and the texts of its IDs. */
export interface DocumentGraph {
  readonly resolution: Resolution;
  readonly nodes: readonly GraphNode[];
  /** IDs of the packages of the resolution, by index. */
  readonly ids: readonly string[];
  /** Id of the current package; null if the current manifest is virtual. */
  readonly root: string | null;
}

/** JSON text; bytes are UTF-8. */
type JsonText = string | Uint8Array;

/** The contents of the document. */
export interface DocumentParts {
  /** The JSON text of each package, in print order. */
  readonly packages: readonly TextWriter[];
  /** IDs as JSON texts. */
  readonly workspaceMembers: readonly JsonText[];
  /** IDs as JSON texts. */
  readonly workspaceDefaultMembers: readonly JsonText[];
  /** `resolve` as JSON text: `resolveText`, or `null` with `--no-deps`. */
  readonly resolve: TextWriter;
  readonly targetDirectory: string;
  readonly buildDirectory: string;
  readonly workspaceRoot: string;
  /** `[workspace.metadata]` as JSON text. */
  readonly metadataText: string;
}

/** Returns the JSON text of `[workspace.metadata]`; `null` if there is none. */
export function metadataTableText(metadata: TomlValue | null): string {
  return metadata === null ? 'null' : tomlText(metadata);
}

/** A comma as bytes, because these are copied faster than text. */
const COMMA = Uint8Array.of(0x2c);

/**
 * Writes the given fields of the document to `out` in one line, in the order of `DOCUMENT_FIELDS` and without a line
 * break.
 */
export function writeDocument(
  document: DocumentParts,
  out: TextSink,
  fields: readonly DocumentField[],
): void {
  const writers: Readonly<Record<DocumentField, () => void>> = {
    packages: () => writeArray(document.packages, out, (writePackage) => writePackage(out)),
    workspace_members: () => writeArray(document.workspaceMembers, out, out),
    workspace_default_members: () => writeArray(document.workspaceDefaultMembers, out, out),
    resolve: () => document.resolve(out),
    target_directory: () => out(stringText(document.targetDirectory)),
    build_directory: () => out(stringText(document.buildDirectory)),
    version: () => out('1'),
    workspace_root: () => out(stringText(document.workspaceRoot)),
    metadata: () => out(document.metadataText),
  };
  let separator = '{';
  for (const field of DOCUMENT_FIELDS.filter((name) => fields.includes(name))) {
    out(`${separator}"${field}":`);
    writers[field]();
    separator = ',';
  }
  out('}');
}

/** Writes an array; `write` writes one item. */
function writeArray<T>(items: readonly T[], out: TextSink, write: (item: T) => void): void {
  out('[');
  items.forEach((item, index) => {
    if (index > 0) out(COMMA);
    write(item);
  });
  out(']');
}

/** Returns a whole text as UTF-8. Calls `text` twice. */
export function bytesOfText(text: TextWriter): Buffer {
  let length = 0;
  text((part) => {
    length += Buffer.byteLength(part);
  });
  const bytes = Buffer.allocUnsafeSlow(length);
  let offset = 0;
  text((part) => {
    if (typeof part === 'string') {
      offset += bytes.write(part, offset);
    } else {
      bytes.set(part, offset);
      offset += part.length;
    }
  });
  return bytes;
}

/** Returns `resolve` of the document as JSON text. */
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
    const features = stringsText(
      present(resolution.packages[node.package], 'a package of the resolution').features,
    );
    return `{"id":${quoted[node.package]},"dependencies":[${dependencies}],"deps":[${deps}],"features":${features}}`;
  });
  return `{"nodes":[${nodeTexts.join(',')}],"root":${root === null ? 'null' : stringText(root)}}`;
}
