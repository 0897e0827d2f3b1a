/** Keys by which dependencies are compared. */
import type { LockedDependency } from './locked-dependency.ts';

/** The properties of a dependency that distinguish it from others. */
export type ComparedDependency = Pick<LockedDependency, 'declared' | 'locked'>;

/** Returns a key that is equal exactly for dependencies with equal declarations and locked versions. */
export function dependencyKey({ declared, locked }: ComparedDependency): string {
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
