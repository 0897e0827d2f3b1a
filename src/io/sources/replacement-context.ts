/** Error context for sources, in cargo's words. */
import { withContext, withContextAsync } from '../../core/errors/error.ts';
import { describePackage, displaySource } from '../../core/package-id/describe.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import type { Source } from './source.ts';

/** The action that failed. */
export type ReplacedAction = 'query' | 'download';

/** Runs `body`. If the source is replaced, an error says so. */
export function withReplaced<T>(action: ReplacedAction, source: Source, body: () => T): T {
  return source.isReplaced ? withContext(contextOf(action, source), body) : body();
}

/** Like `withReplaced`, for a promise. */
export async function withReplacedAsync<T>(
  action: ReplacedAction,
  source: Source,
  body: () => Promise<T>,
): Promise<T> {
  return source.isReplaced ? withContextAsync(contextOf(action, source), body) : body();
}

/** Runs `body`, which puts the package `id` of `source` on disk. Its errors get cargo's chain of causes for that. */
export async function withDownloadContext<T>(
  id: PackageId,
  source: Source,
  body: () => Promise<T>,
): Promise<T> {
  return withContextAsync(
    () => `failed to download \`${describePackage(id)}\``,
    () =>
      withContextAsync('unable to get packages from source', () =>
        withReplacedAsync('download', source, body),
      ),
  );
}

function contextOf(action: ReplacedAction, { original }: Source): string {
  return `failed to ${action} replaced source ${displaySource(original)}`;
}
