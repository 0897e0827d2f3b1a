/** The manifest that a command uses. Cargo Book: cargo metadata, --manifest-path. */
import { TsregError } from '../../core/errors/error.ts';
import type { Files } from '../../core/files/files.ts';
import { joinPath, normalizePath, parentFolder, relativePath } from '../../core/files/path.ts';

/** Returns the nearest `Cargo.toml` in `cwd` or a folder above it. Throws `not-found` if there is none. */
export function findManifest(cwd: string, files: Files): string {
  let hasMisspelledName = false;
  for (const folder of ancestors(cwd)) {
    const manifest = joinPath(folder, 'Cargo.toml');
    if (files.exists(manifest)) return manifest;
    hasMisspelledName ||= files.exists(joinPath(folder, 'cargo.toml'));
  }
  const hint = hasMisspelledName ? ', but found cargo.toml please try to rename it to Cargo.toml' : '';
  throw new TsregError(`could not find \`Cargo.toml\` in \`${cwd}\` or any parent directory${hint}`, {
    code: 'not-found',
    hint: 'go to the folder of a package, or name its `Cargo.toml` with `--manifest-path`',
  });
}

/** Returns the absolute path of the manifest that `argument` names (`--manifest-path`). Throws if it cannot be one. */
export function resolveManifestPath(argument: string, cwd: string, files: Files): string {
  const path = normalizePath(joinPath(cwd, argument));
  const kind = files.kind(path);
  if (kind === null) {
    throw new TsregError(`manifest path \`${argument}\` does not exist`, { code: 'not-found' });
  }
  if (kind === 'directory') {
    const manifest = joinPath(path, 'Cargo.toml');
    const hint = files.exists(manifest) ? `\nhelp: ${manifest} exists` : '';
    throw new TsregError(`manifest path \`${argument}\` is a directory but expected a file${hint}`, {
      code: 'manifest',
    });
  }
  const name = relativePath(parentFolder(path), path);
  if (name === 'Cargo.toml') return path;
  if (isScriptName(name))
    throw new TsregError(`embedded manifest \`${path}\` requires \`-Zscript\``, { code: 'manifest' });
  throw new TsregError(`the manifest-path must be a path to a Cargo.toml file: \`${path}\``, {
    code: 'manifest',
  });
}

/** Yields `path` and every folder above it, nearest first. */
export function* ancestors(path: string): Generator<string> {
  let folder = path;
  for (let below = ''; folder !== below; folder = parentFolder(folder)) {
    yield folder;
    below = folder;
  }
}

/** Returns true for `x.rs` and names without an extension: those of single-file packages, which are not stable. */
function isScriptName(name: string): boolean {
  const dot = name.lastIndexOf('.');
  return dot <= 0 || name.slice(dot) === '.rs';
}
