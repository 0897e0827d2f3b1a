/** Reports the warnings and errors of manifests. */
import { TsregError } from '../../core/errors/error.ts';
import { type Message, wordingByProgram, wordsOf } from '../../core/errors/wording.ts';
import { compareBytes } from '../../core/files/compare-bytes.ts';
import { joinPath } from '../../core/files/path.ts';
import type { Manifest, PackageManifest } from '../../core/manifest/manifest.ts';
import type { Report } from '../../core/report/report.ts';
import type { Workspace } from './workspace.ts';

/** Where a manifest is reported, and its names in messages. */
interface ManifestScope {
  readonly report: Report;
  /** The path of the manifest as shown to people. */
  readonly path: string;
  /** The package name in backticks, or `workspace`. */
  readonly name: string;
}

/**
 * Reports the warnings and build errors of every manifest of a workspace. Commands that look into packages call it
 * before they resolve. Throws the last error after it has reported everything. cargo has no fixed order of packages
 * here. tsreg sorts them by path, with those that have errors last.
 */
export function reportManifests({ root, rootManifest, members, manifests }: Workspace, report: Report): void {
  const prefix = joinPath(root, '');
  const shownPath = (path: string): string => (path.startsWith(prefix) ? path.slice(prefix.length) : path);
  if (rootManifest.kind === 'virtual' && members.length > 0)
    reportManifest(rootManifest, { report, path: shownPath(rootManifest.path), name: 'workspace' });
  let failure: TsregError | null = null;
  for (const manifest of sortedPackages(manifests.loaded())) {
    // Only the last failure is thrown.
    if (failure !== null) report.error(failure.message);
    const name = `\`${manifest.summary.id.name}\``;
    failure = reportManifest(manifest, { report, path: shownPath(manifest.path), name });
  }
  if (failure !== null) throw failure;
}

function hasErrors({ buildErrors }: Manifest): boolean {
  return buildErrors.length > 0;
}

/** Returns the packages, sorted by path, with those that have errors last. */
function sortedPackages(manifests: Iterable<Manifest>): readonly PackageManifest[] {
  return Array.from(manifests)
    .filter((manifest) => manifest.kind === 'package')
    .sort((a, b) => Number(hasErrors(a)) - Number(hasErrors(b)) || compareBytes(a.path, b.path));
}

/**
 * Reports the warnings and errors of a manifest. Returns the error that stops the command; null if the manifest can be
 * built.
 */
function reportManifest(
  { warnings, buildErrors }: Manifest,
  { report, path, name }: ManifestScope,
): TsregError | null {
  const withPath = (text: Message): Message =>
    wordingByProgram((program) => `${path}: ${wordsOf(text, program)}`);
  for (const warning of warnings) report.warning(withPath(warning));
  for (const error of buildErrors) report.error(withPath(error));
  if (warnings.length > 0) report.warning(`${name} (manifest) generated ${counted(warnings, 'warning')}`);
  const [first] = buildErrors;
  if (first === undefined) return null;
  return new TsregError(
    `could not parse ${name} (manifest) due to ${counted(buildErrors, 'previous error')}`,
    { cause: new TsregError(withPath(first), { code: 'manifest', isReported: true }) },
  );
}

/** Returns `1 warning` or `2 warnings`. */
function counted({ length }: readonly unknown[], noun: string): string {
  return `${length} ${noun}${length === 1 ? '' : 's'}`;
}
