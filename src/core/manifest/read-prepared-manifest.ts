/** Packages from prepared manifests. Cargo Book: cargo package. */
import { TsregError } from '../errors/error.ts';
import type { Files } from '../files/files.ts';
import { parentFolder } from '../files/path.ts';
import { DecodeContext } from '../toml/decode.ts';
import { ParsedTexts } from '../summary/parsed-texts.ts';
import { parseToml } from '../toml/parse.ts';
import { buildPackage } from './build-package.ts';
import type { PackageManifest } from './manifest.ts';
import type { ParseManifestOptions } from './manifest-draft.ts';
import { rawManifest } from './raw-manifest.ts';

/** Inputs for reading a prepared manifest. `path` and `source` are those of the original package. */
export interface ReadPreparedOptions
  extends Pick<ParseManifestOptions, 'path' | 'source' | 'sources' | 'registry'> {
  /** The files of the package. Discovery finds targets there, which manifests by older releases of cargo need. */
  readonly files?: Files;
}

/**
 * Reads a manifest that `prepareManifest` wrote. The package has no workspace, and only the given files are read.
 * Throws in cargo's words, without the path, if an omitted part is necessary: if no target is left, if `links` has no
 * build script, and the like.
 */
export function readPreparedManifest(
  text: string,
  { files = NO_FILES, ...options }: ReadPreparedOptions,
): PackageManifest {
  const document = parseToml(text);
  // cargo writes optimization levels that it cannot read.
  document.delete('profile');
  const context = new DecodeContext();
  const raw = rawManifest(document, context);
  if (raw.package === undefined) throw new TsregError('a package has no `[package]`', { code: 'bug' });
  return buildPackage(raw.package, {
    ...options,
    text,
    raw,
    unusedKeys: context.unused,
    root: parentFolder(options.path),
    workspace: { kind: 'member', root: null },
    files,
    inheritFrom: noWorkspace,
    parsed: new ParsedTexts(),
    warnings: [],
  });
}

const NO_FILES: Files = { read: () => null, list: () => null, kind: () => null, exists: () => false };

function noWorkspace(): never {
  throw new TsregError('failed to find a workspace root', { code: 'workspace' });
}
