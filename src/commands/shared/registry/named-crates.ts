/** Selects the crates for a command on the web API. Cargo Book: cargo yank, cargo owner. */
import type { Config } from '../../../io/config/config.ts';
import { NodeFiles } from '../../../io/disk/node-files.ts';
import { TsregError } from '../../../core/errors/error.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import type { OperationContext } from '../../../core/report/report.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import { chooseManifest } from '../workspace/open-workspace.ts';
import { currentPackage, openCommandWorkspace } from '../workspace/command-workspace.ts';

type ReportContext = Pick<OperationContext, 'report'>;

/** The crate selection on the command line. */
export interface CrateSelection {
  /** Names of crates; empty for the package in the working folder. */
  readonly names: readonly string[];
  /** `--workspace`: all publishable members. */
  readonly workspace: boolean;
}

/** Returns the name of the package in the working folder. Throws with cargo's messages if there is none. */
export function currentCrate(config: Config, context: ReportContext): string {
  return currentPackage(currentWorkspace(config, context)).summary.id.name;
}

/** Returns the publishable members of the workspace in the working folder. Throws `workspace` if there are none. */
export function publishableMembers(config: Config, context: ReportContext): readonly PackageManifest[] {
  const members = currentWorkspace(config, context).members.filter(({ publish }) => publish?.length !== 0);
  if (members.length > 0) return members;
  throw new TsregError('the workspace has no packages that may be published', { code: 'workspace' });
}

/** Returns the names of the selected crates, without duplicates. Throws `usage` if `--workspace` is also given. */
export function namedCrates(
  { names, workspace }: CrateSelection,
  config: Config,
  context: ReportContext,
): readonly string[] {
  if (workspace && names.length > 0) throw bothNamed();
  if (workspace) return publishableMembers(config, context).map(({ summary }) => summary.id.name);
  return names.length > 0 ? [...new Set(names)] : [currentCrate(config, context)];
}

/**
 * Throws `usage` if `name` cannot be a crate name. It becomes part of a URL, where `..` or a slash would lead to
 * another address. cargo does not check it. Cargo Book: The Manifest Format, "The name field".
 */
export function checkCrateName(name: string): void {
  if (/^[\p{ID_Continue}-]+$/u.test(name)) return;
  throw new TsregError(`\`${name}\` is not the name of a crate`, { code: 'usage' });
}

/** Returns the error for crates that are named together with `--workspace`. */
export function bothNamed(): TsregError {
  return new TsregError('crates cannot be named together with `--workspace`', { code: 'usage' });
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
