/** Selects the crates for a command on the web API. Cargo Book: cargo yank, cargo owner. */
import type { Config } from '../../../io/config/config.ts';
import { TsregError } from '../../../core/errors/error.ts';
import type { OperationContext } from '../../../core/report/report.ts';

/** The crate selection on the command line. */
export interface CrateSelection {
  /** Names of crates; empty for the package in the working folder. */
  readonly names: readonly string[];
  /** `--workspace`: all publishable members. */
  readonly workspace: boolean;
}

/** Returns the names of the selected crates, without duplicates. Rejects with `usage` if `--workspace` is also given. */
export async function namedCrates(
  { names, workspace }: CrateSelection,
  config: Config,
  context: Pick<OperationContext, 'report'>,
): Promise<readonly string[]> {
  if (workspace && names.length > 0) throw bothNamed();
  if (names.length > 0) return [...new Set(names)];
  const { currentCrate, publishableMembers } = await import('./current-crates.ts');
  if (!workspace) return [currentCrate(config, context)];
  return publishableMembers(config, context).map(({ summary }) => summary.id.name);
}

/**
 * Throws `usage` if `name` cannot be a crate name. It becomes part of a URL, where `..` or a slash would lead to
 * another address. cargo does not check it. Cargo Book: The Manifest Format, "The name field".
 */
export function checkCrateName(name: string): void {
  if (/^[\p{ID_Continue}-]+$/u.test(name)) return;
  const [withoutVersion = ''] = name.split('@');
  const hint =
    name.includes('@') && withoutVersion !== ''
      ? { hint: `leave out the version: \`${withoutVersion}\`` }
      : {};
  throw new TsregError(`\`${name}\` is not the name of a crate`, { code: 'usage', ...hint });
}

/** Returns the error for crates that are named together with `--workspace`. */
export function bothNamed(): TsregError {
  return new TsregError('crates cannot be named together with `--workspace`', { code: 'usage' });
}
