/** Describes paths through the dependency graph. */
import { present } from '../../core/errors/assert.ts';
import { formatPackageId } from '../../core/package-id/package-id.ts';
import type { Resolution, ResolvedPackage } from '../../core/resolve/resolution.ts';
import type { Dependency } from '../../core/summary/summary.ts';
import type { DependencyPath } from '../../core/tree/find-paths.ts';
import type { WhyDependency, WhyStep } from './document.ts';

/** Returns the steps of a path. `idForm` is the form of package IDs. */
export function describePath(
  path: DependencyPath,
  { packages }: Resolution,
  idForm: 'legacy' | 'spec',
): readonly WhyStep[] {
  const packageAt = (index: number): ResolvedPackage =>
    present(packages[index], 'a package of the resolution');
  return path.map(({ package: index, dependencies }, position) => {
    const { id } = packageAt(index);
    const before = path[position - 1];
    return {
      id: formatPackageId(id, idForm),
      name: id.name,
      version: id.version.text,
      dependencies:
        before === undefined
          ? []
          : dependencies.map((dependency) => describeDependency(dependency, packageAt(before.package))),
    };
  });
}

function describeDependency(dependency: Dependency, dependent: ResolvedPackage): WhyDependency {
  const { kind, req, source, name, nameInToml, optional, platform } = dependency;
  return {
    kind,
    requirement: req.text,
    from: source.kind === 'git' || source.kind === 'path' ? source.kind : 'registry',
    rename: nameInToml === name ? null : nameInToml,
    optional,
    features: optional ? enablingFeatures(nameInToml, dependent) : [],
    target: platform?.text ?? null,
  };
}

/** Returns the enabled features of a package that enable its optional dependency `nameInToml`. */
function enablingFeatures(
  nameInToml: string,
  { features, summary }: Pick<ResolvedPackage, 'features' | 'summary'>,
): readonly string[] {
  return features.filter((feature) =>
    summary.features
      .get(feature)
      ?.some(
        (value) =>
          (value.kind === 'dep' || (value.kind === 'dep-feature' && !value.weak)) && value.dep === nameInToml,
      ),
  );
}
