/** Dependencies of a package that is published. Cargo Book: Specifying Dependencies, "Multiple locations". */
import { TsregError } from '../errors/error.ts';
import { CRATES_IO_DOMAIN } from '../package-id/crates-io.ts';
import { displayRegistryName } from '../package-id/describe.ts';
import type { Dependency } from '../summary/summary.ts';
import type { PackageManifest } from './manifest.ts';

/** The command that prepares the package. */
export type Purpose = 'package' | 'publish';

const WORDS = {
  package: { doing: 'packaging', done: 'packaged' },
  publish: { doing: 'publishing', done: 'published' },
} as const;

/** Throws `manifest` if a dependency other than a dev-dependency has a path or repository, but no version. */
export function checkDependencyVersions({ path, summary }: PackageManifest, purpose: Purpose): void {
  const dependency = summary.dependencies.find(lacksVersion);
  if (dependency === undefined) return;
  const { doing, done } = WORDS[purpose];
  const { name, registry, source } = dependency;
  const origin = registry === null ? CRATES_IO_DOMAIN : displayRegistryName(registry);
  const cause = new TsregError(
    `all dependencies must have a version requirement specified when ${doing}.\n` +
      `dependency \`${name}\` does not specify a version\n` +
      `Note: The ${done} dependency will use the version from ${origin},\n` +
      `the \`${source.kind}\` specification will be removed from the dependency declaration.`,
    { code: 'manifest' },
  );
  throw new TsregError(`failed to verify manifest at \`${path}\``, { cause });
}

function lacksVersion({ kind, req, source }: Dependency): boolean {
  return kind !== 'dev' && req.acceptsAny && (source.kind === 'path' || source.kind === 'git');
}
