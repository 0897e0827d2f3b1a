/** `read-manifest`: one package in the form of `metadata`. */
import type { Config } from '../../io/config/config.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { packageText } from '../../core/document/package-text.ts';
import { formatPackageId } from '../../core/package-id/package-id.ts';
import { currentPackage, openCommandWorkspace } from '../shared/workspace/command-workspace.ts';

/** The command-line options of `read-manifest`. */
export interface ReadManifestOptions {
  readonly config: Config;
  /** As typed; null for the nearest manifest. */
  readonly manifestPath: string | null;
  readonly idForm: 'legacy' | 'spec';
}

/** Returns the package of the manifest as one line of JSON without a line break. Throws with cargo's error chain. */
export function readManifest(
  { config, manifestPath, idForm }: ReadManifestOptions,
  { report }: Pick<OperationContext, 'report'>,
): string {
  const { workspace } = openCommandWorkspace({ config, manifestPath }, { report });
  const manifest = currentPackage(workspace);
  const { head, tail } = packageText(manifest);
  return head + JSON.stringify(formatPackageId(manifest.summary.id, idForm)) + tail;
}
