/** Makes sources of all kinds. */
import type { SourceId } from '../../core/package-id/source-id.ts';
import { makeDirectorySource } from './directory-source.ts';
import { GitRegistry } from './git-registry.ts';
import { GitSource } from './git-source.ts';
import { LocalRegistry } from './local-registry.ts';
import { OverlaySource, type RegistryOverlay } from './overlay-source.ts';
import { makePathSource } from './path-source.ts';
import type { RegistrySurroundings } from './remote-registry.ts';
import type { SourceContext } from './source-context.ts';
import type { Source } from './source.ts';
import { SparseRegistry } from './sparse-registry.ts';

/** The context of new sources. */
export interface SourceSurroundings extends RegistrySurroundings {
  readonly context: SourceContext;
  /** An overlay for one of the registries; null for none. */
  readonly overlay: RegistryOverlay | null;
}

/** Makes the source for packages of `original`, read from `actual`. Throws if `actual` cannot be a source. */
export function makeSource(original: SourceId, actual: SourceId, surroundings: SourceSurroundings): Source {
  const source = makeSingleSource(original, actual, surroundings);
  const { overlay, context } = surroundings;
  if (overlay === null || overlay.registry.unpinnedKey !== actual.unpinnedKey) return source;
  const folder = context.sources.forLocalRegistry(overlay.folder);
  return new OverlaySource(new LocalRegistry(original, folder, context), source);
}

/** Like `makeSource`, without an overlay. */
function makeSingleSource(original: SourceId, actual: SourceId, surroundings: SourceSurroundings): Source {
  const { context } = surroundings;
  switch (actual.kind) {
    case 'path':
      return makePathSource(original, actual, context);
    case 'directory':
      return makeDirectorySource(original, actual, context);
    case 'local-registry':
      return new LocalRegistry(original, actual, context);
    case 'git':
      return new GitSource(original, actual, context);
    case 'sparse-registry':
      return new SparseRegistry(original, actual, surroundings);
    case 'registry':
      return new GitRegistry(original, actual, surroundings);
  }
}
