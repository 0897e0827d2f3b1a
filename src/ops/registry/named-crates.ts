/** Which crates a command on the web API is about. Cargo Book: cargo yank, cargo owner. */
import type { Config } from '../../config/config.ts';
import { NodeFiles } from '../../disk/node-files.ts';
import { TsregError } from '../../errors/error.ts';
import type { PackageManifest } from '../../manifest/manifest.ts';
import type { OperationContext } from '../../report/report.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { chooseManifest } from '../workspace/choose-manifest.ts';
import { currentPackage, openCommandWorkspace } from '../workspace/command-workspace.ts';

type ReportContext = Pick<OperationContext, 'report'>;

/** What the command line says of crates. */
export interface CrateSelection {
  /** Names; none for the package of the working folder. */
  readonly names: readonly string[];
  /** `--workspace`: every member that may be published. */
  readonly workspace: boolean;
}

/** The name of the package that the working folder belongs to. Throws in cargo's words where there is none. */
export function currentCrate(config: Config, context: ReportContext): string {
  return currentPackage(currentWorkspace(config, context)).summary.id.name;
}

/** The members of the workspace of the working folder that may be published, in its order; never none. */
export function publishableMembers(config: Config, context: ReportContext): readonly PackageManifest[] {
  const members = currentWorkspace(config, context).members.filter(({ publish }) => publish?.length !== 0);
  if (members.length > 0) return members;
  throw new TsregError('the workspace has no packages that may be published', { code: 'workspace' });
}

/** The names of all crates that were selected, each once. */
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
 * Throws where what was named cannot be the name of a crate: it becomes a part of a URL, where `..` or a slash would lead
 * to another address. cargo sends it as it is. Cargo Book: The Manifest Format, "The name field".
 */
export function checkCrateName(name: string): void {
  if (/^[\p{ID_Continue}-]+$/u.test(name)) return;
  throw new TsregError(`\`${name}\` is not the name of a crate`, { code: 'usage' });
}

/** The error of crates that are named beside `--workspace`. */
export function bothNamed(): TsregError {
  return new TsregError('crates cannot be named together with `--workspace`', { code: 'usage' });
}

function currentWorkspace(config: Config, context: ReportContext): Workspace {
  checkThereIsOne(config);
  return openCommandWorkspace({ config, manifestPath: null }, context).workspace;
}

/** Throws as every command does without a manifest; but here it helps to name the crate. */
function checkThereIsOne(config: Config): void {
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
