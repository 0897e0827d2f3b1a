/** The crates of the workspace in the working folder, for a command on the web API. Cargo Book: cargo yank, cargo owner. */
import type { Config } from '../../../io/config/config.ts';
import { NodeFiles } from '../../../io/disk/node-files.ts';
import { TsregError } from '../../../core/errors/error.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import type { OperationContext } from '../../../core/report/report.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import { chooseManifest } from '../workspace/open-workspace.ts';
import { currentPackage, openCommandWorkspace } from '../workspace/command-workspace.ts';

type ReportContext = Pick<OperationContext, 'report'>;

/** Returns the name of the package in the working folder. Throws with cargo's messages if there is none. */
export function currentCrate(config: Config, context: ReportContext): string {
  const hint = 'name the crate, or pass `--workspace` for all members';
  return currentPackage(currentWorkspace(config, context), { hint }).summary.id.name;
}

/** Returns the publishable members of the workspace in the working folder. Throws `workspace` if there are none. */
export function publishableMembers(config: Config, context: ReportContext): readonly PackageManifest[] {
  const members = currentWorkspace(config, context).members.filter(({ publish }) => publish?.length !== 0);
  if (members.length > 0) return members;
  throw new TsregError('the workspace has no packages that may be published', { code: 'workspace' });
}

function currentWorkspace(config: Config, context: ReportContext): Workspace {
  checkManifestExists(config);
  return openCommandWorkspace({ config, manifestPath: null }, context).workspace;
}

/** Throws the usual error for a missing manifest, with a hint to name the crate. */
function checkManifestExists(config: Config): void {
  try {
    chooseManifest(null, config, new NodeFiles());
  } catch (error) {
    if (!(error instanceof TsregError) || error.code !== 'not-found') throw error;
    throw new TsregError(error.message, {
      code: error.code,
      hint: 'name the crate, or go to the folder of its package',
    });
  }
}
