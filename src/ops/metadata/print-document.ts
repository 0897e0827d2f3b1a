/** What was found out as the document of `metadata`. Cargo Book: cargo metadata. */
import type { Config } from '../../config/config.ts';
import { buildDirectory, targetDirectory } from '../../config/target-directory.ts';
import type { IdForm, PrintedPackage, PrintedWorkspace } from '../../derived/package-view.ts';
import { documentText } from '../../metadata/document-text.ts';

/** How the document is to be printed. */
export interface PrintOptions {
  readonly config: Config;
  readonly idForm: IdForm;
}

/** What the document says of the graph. */
export interface PrintedGraph {
  /** In the order in which they are printed. */
  readonly packages: readonly PrintedPackage[];
  /** `resolve` as JSON text. */
  readonly resolve: string | Uint8Array;
}

/** The document as one line, in parts, of which bytes are UTF-8; with null as graph that of the members alone. */
export function printDocument(
  workspace: PrintedWorkspace,
  graph: PrintedGraph | null,
  { config, idForm }: PrintOptions,
): readonly (string | Uint8Array)[] {
  const { root, members, defaultMembers, metadataText } = workspace;
  const memberIds = members.map(({ text }) => text.idText(idForm));
  return documentText({
    packages: (graph?.packages ?? members).map(({ text }) => text.parts(idForm)),
    workspaceMembers: memberIds,
    workspaceDefaultMembers: defaultMembers.flatMap((index) => memberIds[index] ?? []),
    resolve: graph?.resolve ?? 'null',
    targetDirectory: targetDirectory(config, root),
    buildDirectory: buildDirectory(config, root),
    workspaceRoot: root,
    metadataText,
  });
}
