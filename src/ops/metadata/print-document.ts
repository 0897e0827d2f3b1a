/** What was found out as the document of `metadata`. Cargo Book: cargo metadata. */
import type { Config } from '../../config/config.ts';
import { buildDirectory, targetDirectory } from '../../config/target-directory.ts';
import type { IdForm, PrintedPackage, PrintedWorkspace } from '../../derived/package-view.ts';
import { DamagedRecordError } from '../../derived/damaged-record-error.ts';
import type { KeptText } from '../../derived/kept-text.ts';
import { TsregError } from '../../errors/error.ts';
import type { WrittenText } from '../../files/text-sink.ts';
import { type DocumentParts, writeDocument } from '../../metadata/document-text.ts';

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
  readonly resolve: string | KeptText;
}

/** The document as one line, without its line break; with null as graph that of the members alone. */
export function printDocument(
  workspace: PrintedWorkspace,
  graph: PrintedGraph | null,
  { config, idForm }: PrintOptions,
): WrittenText {
  const { root, members, defaultMembers, metadataText } = workspace;
  const { packages, resolve } = graph ?? { packages: members, resolve: 'null' };
  const memberIds = members.map(({ text }) => text.idText(idForm));
  const document: DocumentParts = {
    packages: packages.map(
      ({ text }): WrittenText =>
        (out) =>
          text.write(idForm, out),
    ),
    workspaceMembers: memberIds,
    workspaceDefaultMembers: defaultMembers.flatMap((index) => memberIds[index] ?? []),
    resolve:
      typeof resolve === 'string' ? (out) => out(resolve) : (out) => resolve.write(0, resolve.length, out),
    targetDirectory: targetDirectory(config, root),
    buildDirectory: buildDirectory(config, root),
    workspaceRoot: root,
    metadataText,
  };
  return (out) => {
    try {
      writeDocument(document, out);
    } catch (error) {
      if (!(error instanceof DamagedRecordError)) throw error;
      throw new TsregError('what an earlier run kept was changed by another program while it was read', {
        code: 'io',
        hint: 'what was printed is not whole; run the command again',
      });
    }
  };
}
