import { TsregError } from '../errors/error.ts';
import { type Message, naming, wordsOf } from '../errors/wording.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Workspace } from './workspace.ts';

/**
 * What commands that look into packages say of the manifests of a workspace, before they resolve it. Cargo has no
 * order for manifests here; they are told by their paths.
 */
export function manifestWarnings({ manifests, isImplicit }: Workspace): readonly Message[] {
  return byPath(manifests.loaded()).flatMap(({ path, warnings }) =>
    // In a workspace it would not be clear which manifest is meant.
    warnings.map((warning) =>
      isImplicit ? warning : naming((program) => `${path}: ${wordsOf(warning, program)}`),
    ),
  );
}

/** Throws where a manifest can be read but not built. To be called when all warnings were told. */
export function checkManifests({ manifests }: Workspace): void {
  for (const { path, buildErrors } of byPath(manifests.loaded())) {
    const [message] = buildErrors;
    if (message === undefined) continue;
    throw new TsregError(`failed to parse manifest at \`${path}\``, {
      cause: new TsregError(message, { code: 'manifest' }),
    });
  }
}

function byPath(manifests: Iterable<Manifest>): readonly Manifest[] {
  return Array.from(manifests).sort((a, b) => compareBytes(a.path, b.path));
}
