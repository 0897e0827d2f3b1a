/** The document of `metadata`. Cargo Book: cargo metadata. */
import { present } from '../../core/errors/assert.ts';
import type { Config } from '../../io/config/config.ts';
import { buildDirectory, targetDirectory } from '../../io/config/target-directory.ts';
import type { TextSink, TextWriter } from '../../core/files/text-sink.ts';
import type { DocumentField } from '../../core/document/document-fields.ts';
import { writeDocument } from '../../core/document/document-text.ts';
import { formatPackageId } from '../../core/package-id/package-id.ts';
import type { DescribedGraph } from '../shared/graph/describe-graph.ts';
import type { PackageView, WorkspaceView } from '../shared/graph/package-view.ts';

/** JSON text; bytes are UTF-8. */
type Text = string | Uint8Array;

/** The JSON of a package in parts. `cached-graph.ts` stores each of them. */
export type PackageParts = readonly [head: Text, id: Text, tail: Text];

/** The options of `printDocument`. */
export interface PrintOptions {
  readonly config: Config;
  readonly idForm: 'legacy' | 'spec';
  /** The fields to print; not empty. */
  readonly fields: readonly DocumentField[];
}

/** A graph in the form of the document, with members as indexes. */
export interface PrintedGraph {
  /** In print order: the index of a member, or another package. */
  readonly packages: readonly (number | PackageParts)[];
  /** `resolve` as JSON. */
  readonly resolve: Text;
}

/** Replaces the members of a described graph with their indexes, and its other packages with their JSON. */
export function printedGraph(
  { packages, resolve }: DescribedGraph,
  { members }: WorkspaceView,
  idForm: PrintOptions['idForm'],
): PrintedGraph {
  const indexes = new Map(members.map((member, index) => [member.summary.id.key, index]));
  return {
    packages: packages.map((view) => indexes.get(view.summary.id.key) ?? printPackage(view, idForm)),
    resolve,
  };
}

/** Returns the document as one line without a line break. If `graph` is null, it describes only the members. */
export function printDocument(
  { root, members, defaultMembers, metadataText }: WorkspaceView,
  graph: PrintedGraph | null,
  { config, idForm, fields }: PrintOptions,
): TextWriter {
  const printed = members.map((member) => printPackage(member, idForm));
  const ids = members.map((member) => idText(member, idForm));
  const { packages, resolve } = graph ?? { packages: printed, resolve: 'null' };
  const document = {
    packages: packages.map((entry): TextWriter => {
      const parts = typeof entry === 'number' ? present(printed[entry], 'a printed member') : entry;
      return (out) => parts.forEach(out);
    }),
    workspaceMembers: ids,
    workspaceDefaultMembers: defaultMembers.map((index) => present(ids[index], 'a default member')),
    resolve: (out: TextSink) => out(resolve),
    targetDirectory: targetDirectory(config, root),
    buildDirectory: buildDirectory(config, root),
    workspaceRoot: root,
    metadataText,
  };
  return (out) => writeDocument(document, out, fields);
}

function printPackage(view: PackageView, idForm: PrintOptions['idForm']): PackageParts {
  return [view.text.head, idText(view, idForm), view.text.tail];
}

function idText({ summary }: PackageView, idForm: PrintOptions['idForm']): string {
  return JSON.stringify(formatPackageId(summary.id, idForm));
}
