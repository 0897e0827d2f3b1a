/** A prepared manifest becomes a package of its own. Cargo Book: cargo package. */
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

/** What a prepared manifest is read with: `path` and `source` are those of the package that it was made of. */
export interface ReadPreparedOptions
  extends Pick<ParseManifestOptions, 'path' | 'source' | 'sources' | 'registry'> {
  /** The files that the package has beside the manifest, for the targets that older releases of cargo left to be inferred. */
  readonly files?: Files;
}

/**
 * Reads the text that `prepareManifest` made. The package belongs to no workspace, and no files are
 * looked at but those that are given. Throws in cargo's words, without naming the path, where what was left out is missed: no target
 * is left, `links` without a build script, and the like.
 */
export function readPreparedManifest(
  text: string,
  { files = NO_FILES, ...options }: ReadPreparedOptions,
): PackageManifest {
  const document = parseToml(text);
  // cargo writes levels of optimisation that it does not read.
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
