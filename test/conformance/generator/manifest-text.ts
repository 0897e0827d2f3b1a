import type { Dependency } from './dependencies.ts';

/** The source of a manifest's dependency. */
export type Source =
  | { readonly kind: 'registry'; readonly registry: string | null }
  | { readonly kind: 'path'; readonly path: string; readonly withVersion: boolean }
  | { readonly kind: 'git'; readonly keys: string }
  | { readonly kind: 'workspace' };

/** Returns the dependency tables of a manifest. */
export function dependencyTables(entries: readonly { dependency: Dependency; source: Source }[]): string {
  const lines: string[] = [];
  for (const { dependency, source } of entries) {
    const table = { normal: 'dependencies', dev: 'dev-dependencies', build: 'build-dependencies' }[
      dependency.kind
    ];
    const prefix = dependency.target === null ? '' : `target.'${dependency.target}'.`;
    lines.push('', `[${prefix}${table}.${dependency.key}]`, ...dependencyKeys(dependency, source));
  }
  return lines.join('\n');
}

/** Returns the keys of one dependency. */
export function dependencyKeys(dependency: Dependency, source: Source): string[] {
  const lines: string[] = [];
  if (source.kind === 'workspace') lines.push('workspace = true');
  else if (dependency.isRenamed) lines.push(`package = "${dependency.offer.name}"`);
  if (source.kind === 'registry') {
    lines.push(`version = "${dependency.req}"`);
    if (source.registry !== null) lines.push(`registry = "${source.registry}"`);
  }
  if (source.kind === 'path') {
    lines.push(`path = "${source.path}"`);
    if (source.withVersion) lines.push('version = "*"');
  }
  if (source.kind === 'git') lines.push(source.keys);
  if (dependency.optional) lines.push('optional = true');
  if (!dependency.default) lines.push('default-features = false');
  if (dependency.features.length > 0) lines.push(`features = ${JSON.stringify(dependency.features)}`);
  return lines;
}

/** Returns a feature table. */
export function featureTable(features: Readonly<Record<string, readonly string[]>>): string {
  const names = Object.keys(features);
  if (names.length === 0) return '';
  return ['', '[features]', ...names.map((name) => `"${name}" = ${JSON.stringify(features[name])}`)].join(
    '\n',
  );
}
