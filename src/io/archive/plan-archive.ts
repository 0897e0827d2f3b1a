/** Plans an archive from the selected files. Cargo Book: cargo-package(1). */
import { statSync } from 'node:fs';
import { TsregError } from '../../core/errors/error.ts';
import { fromByteString, isUtf8, toByteString } from '../../core/files/byte-path.ts';
import {
  fileName,
  joinPath,
  normalizePath,
  relativePath,
  rootOfPath,
  startsWithPath,
  toNativeSeparators,
} from '../../core/files/path.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import type { Report } from '../../core/report/report.ts';
import type { ArchivePlan, PlannedFile } from './archive-plan.ts';
import { checkFileName, isReservedFileName, ORIGINAL_MANIFEST, VCS_INFO } from './check-file-name.ts';
import { prefixOf } from './parent-path.ts';
import type { Selection } from './select-files.ts';
import type { VcsInfo } from './vcs-info.ts';

/** Inputs for a plan, in addition to the files of the package. */
export interface PlanArchiveOptions {
  /** null if the archive gets no lock file. `path` is the absolute path of the workspace's lock file, if it has one. */
  readonly lockfile: { readonly path: string | null } | null;
  /** The result of `checkRepository`. */
  readonly vcsInfo: VcsInfo | null;
  readonly report: Report;
}

/**
 * Returns the files of a package's archive with their sources. Checks names, `license-file`, `readme` and the location
 * of the build script. Reports warnings in cargo's order, and throws in cargo's words.
 */
export function planArchive(selection: Selection, options: PlanArchiveOptions): ArchivePlan {
  const { manifest, root } = selection;
  const sources = plannedSources(selection, options.report);
  // The manifest gets two other entries, also if its name is not written `Cargo.toml`.
  const files = sources.filter(({ path }) => asciiLowerCase(path) !== 'cargo.toml');
  const add = (path: string, content: PlannedFile['content']) => files.push({ path, content });
  if (files.length < sources.length) {
    add(ORIGINAL_MANIFEST, { kind: 'copy', path: manifest.path });
    add('Cargo.toml', { kind: 'generate', what: 'manifest', path: manifest.path });
  } else {
    const { name } = manifest.summary.id;
    options.report.warning(
      `no \`Cargo.toml\` file found when packaging \`${name}\` (note the case of the file name).`,
    );
  }
  if (options.lockfile !== null)
    add('Cargo.lock', { kind: 'generate', what: 'lockfile', path: options.lockfile.path });
  if (options.vcsInfo !== null) add(VCS_INFO, { kind: 'generate', what: 'vcs-info', path: null });
  addNamedFiles(files, { manifest, root, report: options.report });
  checkBuildScripts(manifest, root);
  return {
    files: sortByComponents(files),
    vcsInfo: options.vcsInfo === null ? null : JSON.stringify(options.vcsInfo, null, 2),
  };
}

/** Returns the selected files, except `Cargo.lock`, with names that were checked. */
function plannedSources(selection: Selection, report: Report): PlannedFile[] {
  const base = toByteString(prefixOf(selection.root));
  return selection.files.flatMap(({ path: bytes }) => {
    const relative = bytes.slice(base.length);
    const path = fromByteString(relative);
    checkFileName(relative, (text) => report.warning(text));
    if (!isUtf8(relative))
      throw new TsregError(`non-utf8 path in source directory: ${path}`, { code: 'archive' });
    if (path === 'Cargo.lock') return [];
    if (isReservedFileName(path))
      throw new TsregError(`invalid inclusion of reserved file name ${path} in package source`, {
        code: 'archive',
      });
    return { path, content: { kind: 'copy', path: toNativeSeparators(fromByteString(bytes)) } as const };
  });
}

/**
 * Adds `license-file` and `readme` to `files`, since they belong into the archive even from outside the package. Throws
 * one `manifest` error for all that do not exist.
 */
function addNamedFiles(
  files: PlannedFile[],
  context: { readonly manifest: PackageManifest; readonly root: string; readonly report: Report },
): void {
  const { manifest, root, report } = context;
  const problems: string[] = [];
  for (const [key, path] of [
    ['license-file', manifest.licenseFile],
    ['readme', manifest.readme],
  ] as const) {
    if (path === null) continue;
    const absolute = normalizePath(joinPath(root, path));
    if (!isFile(absolute)) {
      const place = rootOfPath(path) !== null ? '' : ` (relative to \`${root}\`)`;
      problems.push(
        `${key} \`${path}\` does not appear to exist${place}.\n` +
          `Please update the ${key} setting in the manifest at \`${manifest.path}\`.`,
      );
      continue;
    }
    const isInside = startsWithPath(absolute, root);
    const name = isInside ? relativePath(root, absolute) : fileName(absolute);
    if (!files.some((file) => file.path === name)) {
      files.push({ path: name, content: { kind: 'copy', path: absolute } });
    } else if (!isInside) {
      report.warning(
        `${key} \`${path}\` appears to be a path outside of the package, ` +
          `but there is already a file named \`${name}\` in the root of the package. ` +
          'The archived crate will contain the copy in the root of the package. ' +
          `Update the ${key} to point to the path relative to the root of the package to remove this warning.`,
      );
    }
  }
  if (problems.length > 0) throw new TsregError(problems.join('\n'), { code: 'manifest' });
}

/** Throws `manifest` if a build script does not exist or is outside the package. */
function checkBuildScripts(manifest: PackageManifest, root: string): void {
  for (const target of manifest.targets) {
    if (target.kind !== 'custom-build') continue;
    const path = normalizePath(joinPath(root, target.srcPath));
    const exists = isFile(path);
    if (exists && startsWithPath(path, root)) continue;
    const problem = exists
      ? "the source file of build script doesn't appear to be a path inside of the package.\n" +
        `It is at \`${path}\`, whereas the root the package is \`${root}\`.\n`
      : "the source file of build script doesn't appear to exist.\n";
    throw new TsregError(
      `${problem}This may cause issue during packaging, as modules resolution and resources included via macros are often relative to the path of source files.\n` +
        `Please update the \`build\` setting in the manifest at \`${manifest.path}\` and point to a path inside the root of the package.`,
      { code: 'manifest' },
    );
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

/** Like Rust's `to_ascii_lowercase`, which cargo uses. */
function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Sorts files by the bytes of their path components. */
function sortByComponents(files: readonly PlannedFile[]): PlannedFile[] {
  // A slash sorts before every byte of a name.
  const keyed = files.map((file) => ({ key: toByteString(file.path).replaceAll('/', '\0'), file }));
  keyed.sort((a, b) => {
    if (a.key === b.key) return 0;
    return a.key < b.key ? -1 : 1;
  });
  return keyed.map(({ file }) => file);
}
