/** What errors say of a source that another one stands in for. */
import { withContext, withContextAsync } from '../errors/error.ts';
import { describeSource, displaySource } from '../package-id/describe.ts';
import { isCratesIo } from '../package-id/source-id.ts';
import type { PackageSource } from './source.ts';

/** What was done with a source when it failed. */
export type ReplacedAction = 'query' | 'download';

/** True if another source stands in; crates.io's two indexes are one. */
export function isReplaced({ original, actual }: Pick<PackageSource, 'original' | 'actual'>): boolean {
  return original !== actual && !(isCratesIo(original) && isCratesIo(actual));
}

/** Where packages are looked for, as in `location searched: …`. */
export function describeLocation(source: Pick<PackageSource, 'original' | 'actual'>): string {
  const { original, actual } = source;
  const place = describeSource(actual);
  return isReplaced(source) ? `${place} (which is replacing ${displaySource(original)})` : place;
}

/** Runs `body`; an error out of it says that it happened to a replacement, if it did. */
export function withReplaced<T>(action: ReplacedAction, source: PackageSource, body: () => T): T {
  return isReplaced(source) ? withContext(contextOf(action, source), body) : body();
}

/** As `withReplaced`, for a promise. */
export async function withReplacedAsync<T>(
  action: ReplacedAction,
  source: PackageSource,
  body: () => Promise<T>,
): Promise<T> {
  return isReplaced(source) ? withContextAsync(contextOf(action, source), body) : body();
}

function contextOf(action: ReplacedAction, { original }: PackageSource): string {
  return `failed to ${action} replaced source ${displaySource(original)}`;
}
