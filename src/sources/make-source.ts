/** Makes the source of each kind. */
import { TsregError } from '../errors/error.ts';
import type { SourceId } from '../package-id/source-id.ts';
import { makeDirectorySource } from './directory-source.ts';
import { GitSource } from './git-source.ts';
import { LocalRegistry } from './local-registry.ts';
import { makePathSource } from './path-source.ts';
import type { PackageSource } from './source.ts';
import type { SourceContext } from './source-context.ts';

/** The source that gives the packages of `original`, taken from `actual`. Throws if `actual` cannot be one. */
export function makeSource(original: SourceId, actual: SourceId, context: SourceContext): PackageSource {
  switch (actual.kind) {
    case 'path':
      return makePathSource(original, actual, context);
    case 'directory':
      return makeDirectorySource(original, actual, context);
    case 'local-registry':
      return new LocalRegistry(original, actual, context);
    case 'git':
      return new GitSource(original, actual, context);
    case 'registry':
    case 'sparse-registry':
      throw new TsregError(`${actual.kind} is not there yet`, { code: 'bug' });
  }
}
