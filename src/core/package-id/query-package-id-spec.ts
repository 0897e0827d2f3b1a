/** The one package that a specification matches. Cargo Book: cargo pkgid. */
import { TsregError } from '../errors/error.ts';
import { closestNameHint } from '../errors/similar-names.ts';
import { formatPackageId, type PackageId } from './package-id.ts';
import { formatPackageIdSpec, matchesPackageIdSpec, type PackageIdSpec } from './package-id-spec.ts';

/**
 * Returns the one of `ids` that `spec` matches. Throws `not-found` with cargo's message if it matches none or several.
 */
export function queryPackageIdSpec(spec: PackageIdSpec, ids: readonly PackageId[]): PackageId {
  const matching = ids.filter((id) => matchesPackageIdSpec(spec, id));
  const [only] = matching;
  const text = formatPackageIdSpec(spec);
  if (only === undefined) {
    const hint =
      similarSpecs(spec, ids) ??
      closestNameHint(
        spec.name,
        ids.map(({ name }) => name),
        'package',
      );
    throw notFound(`package ID specification \`${text}\` did not match any packages${hint}`);
  }
  if (matching.length === 1) return only;
  throw notFound(
    `specification \`${text}\` is ambiguous\n` +
      `help: re-run this command with one of the following specifications${shortestSpecs(spec, matching)}`,
  );
}

/** Returns a hint with the packages that match without the URL, or else without URL and version; null if none match. */
function similarSpecs(spec: PackageIdSpec, ids: readonly PackageId[]): string | null {
  const looser: PackageIdSpec[] = [];
  if (spec.url !== null) looser.push({ ...spec, url: null, kind: null, reference: null });
  // Like cargo, drops only a full version. A partial one gets the hint about names.
  if (spec.version !== null && spec.version.patch !== null) {
    looser.push({ name: spec.name, version: null, url: null, kind: null, reference: null });
  }
  for (const looserSpec of looser) {
    const similar = ids.filter((id) => matchesPackageIdSpec(looserSpec, id));
    if (similar.length === 0) continue;
    return `\nhelp: there are similar package ID specifications:\n${shortestSpecs(spec, similar)}`;
  }
  return null;
}

/** Returns one line per package: the name with its version, or the full ID if another package has the same version. */
function shortestSpecs(spec: PackageIdSpec, ids: readonly PackageId[]): string {
  const lines = ids.map((id) => {
    const isOnly = ids.every((other) => other === id || other.version.text !== id.version.text);
    return `\n  ${isOnly ? `${spec.name}@${id.version.text}` : formatPackageId(id, 'spec')}`;
  });
  return lines.join('');
}

function notFound(message: string): TsregError {
  return new TsregError(message, { code: 'not-found' });
}
