/** `read-manifest`: one package as `metadata` describes it. */
import type { Config } from '../config/config.ts';
import type { OperationContext } from '../report/report.ts';
import { packageText } from '../metadata/package-text.ts';
import { formatPackageId } from '../package-id/package-id.ts';
import { currentPackage, openCommandWorkspace } from './workspace/command-workspace.ts';

/** What the command line of `read-manifest` asks for. */
export interface ReadManifestOptions {
  readonly config: Config;
  readonly manifestPath: string | null;
  readonly idForm: 'legacy' | 'spec';
}

/** The package of the manifest as JSON in one line, without the line's end. Throws with cargo's chain of causes. */
export function readManifest(
  { config, manifestPath, idForm }: ReadManifestOptions,
  { report }: Pick<OperationContext, 'report'>,
): string {
  const { workspace } = openCommandWorkspace({ config, manifestPath }, { report });
  const manifest = currentPackage(workspace);
  const { head, tail } = packageText(manifest);
  return head + JSON.stringify(formatPackageId(manifest.summary.id, idForm)) + tail;
}
