import type { LockedDependency } from './locked-dependency.ts';

/** Equal for two dependencies exactly when they are declared alike and locked alike. */
export function dependencyKey({ declared, locked }: Pick<LockedDependency, 'declared' | 'locked'>): string {
  const { name, nameInToml, renamed, source, registry, req, kind, platform, features } = declared;
  return [
    name,
    renamed ? nameInToml : '',
    source.unpinnedKey,
    registry === null ? '' : registry.unpinnedKey,
    req.acceptsAny ? '' : req.text,
    locked === null ? '' : locked.text,
    kind,
    declared.optional ? 'optional' : '',
    declared.defaultFeatures ? 'default' : '',
    platform === null ? '' : `${platform.kind} ${platform.text}`,
    ...features,
  ].join('\n');
}
