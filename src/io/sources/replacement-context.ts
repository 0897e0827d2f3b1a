/** Error context for replaced sources. */
import { withContext, withContextAsync } from '../../core/errors/error.ts';
import { describeSource, displaySource } from '../../core/package-id/describe.ts';
import { isCratesIo } from '../../core/package-id/source-id.ts';
import type { PackageSource } from './source.ts';

/** The action that failed. */
export type ReplacedAction = 'query' | 'download';

/** Returns true if another source replaces this one; crates.io's two indexes count as one. */
export function isReplaced({ original, actual }: Pick<PackageSource, 'original' | 'actual'>): boolean {
  return original !== actual && !(isCratesIo(original) && isCratesIo(actual));
}

/** Returns where packages are searched, as in `location searched: …`. */
export function describeLocation(source: Pick<PackageSource, 'original' | 'actual'>): string {
  const { original, actual } = source;
  const place = describeSource(actual);
  return isReplaced(source) ? `${place} (which is replacing ${displaySource(original)})` : place;
}

/** Runs `body`. If the source is replaced, an error says so. */
export function withReplaced<T>(action: ReplacedAction, source: PackageSource, body: () => T): T {
  return isReplaced(source) ? withContext(contextOf(action, source), body) : body();
}

/** Like `withReplaced`, for a promise. */
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
