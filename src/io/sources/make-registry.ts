/** Makes registries for commands that use one registry and no other source. */
import type { SourceId } from '../../core/package-id/source-id.ts';
import type { RegistrySurroundings, RemoteRegistry } from './remote-registry.ts';
import { SparseRegistry } from './sparse-registry.ts';

/** Makes the remote registry that `original` names, read from `actual`, without source replacement. */
export async function makeRegistry(
  original: SourceId,
  actual: SourceId,
  surroundings: RegistrySurroundings,
): Promise<RemoteRegistry> {
  if (actual.kind === 'sparse-registry') return new SparseRegistry(original, actual, surroundings);
  const { GitRegistry } = await import('./git-registry.ts');
  return new GitRegistry(original, actual, surroundings);
}
