/** Compares the published metadata of two versions. */
import type { PublishedDependency, PublishMetadata } from '../../../core/protocol/publish-metadata.ts';

/** A dependency or feature that only one version has, or that differs. */
export interface MetadataChange {
  readonly name: string;
  /** The kind of a dependency that is not a normal one, and its target; empty for none. */
  readonly detail: string;
  /** The text of each version; null if it does not have the dependency or feature. */
  readonly old: string | null;
  readonly new: string | null;
}

/** Returns the changed dependencies by name. */
export function changedDependencies(
  old: Pick<PublishMetadata, 'dependencies'>,
  fresh: Pick<PublishMetadata, 'dependencies'>,
): readonly MetadataChange[] {
  return changesBetween(dependencyTexts(old), dependencyTexts(fresh));
}

/** Returns the changed features by name. */
export function changedFeatures(
  old: Pick<PublishMetadata, 'features'>,
  fresh: Pick<PublishMetadata, 'features'>,
): readonly MetadataChange[] {
  return changesBetween(featureTexts(old), featureTexts(fresh));
}

/** The description of a dependency or feature of one version. */
interface Statement {
  readonly name: string;
  readonly detail: string;
  /** The part that changes: of a dependency its requirement and registry, of a feature the values that it enables. */
  readonly text: string;
}

/** Compares statements by key. Returns the changes by name. */
function changesBetween(
  old: ReadonlyMap<string, Statement>,
  fresh: ReadonlyMap<string, Statement>,
): readonly MetadataChange[] {
  const changes: MetadataChange[] = [];
  for (const [key, { name, detail, text }] of old) {
    const newText = fresh.get(key)?.text ?? null;
    if (newText !== text) changes.push({ name, detail, old: text, new: newText });
  }
  for (const [key, { name, detail, text }] of fresh)
    if (!old.has(key)) changes.push({ name, detail, old: null, new: text });
  return changes.sort((a, b) => Number(a.name > b.name) - Number(a.name < b.name));
}

const KINDS = { normal: null, build: 'build dependency', dev: 'development dependency' } as const;

/**
 * Returns the dependencies by kind, target and shown name, which contains the name in the manifest and that of the
 * package: if a manifest name comes to denote another package, one dependency was removed and another one added. Of
 * duplicates, which are rare, the last one counts.
 */
function dependencyTexts({
  dependencies,
}: Pick<PublishMetadata, 'dependencies'>): ReadonlyMap<string, Statement> {
  return new Map(
    dependencies.map((dependency) => {
      const { name, kind, target, explicitNameInToml } = dependency;
      const shownName = explicitNameInToml === null ? name : `${explicitNameInToml} (${name})`;
      const detail = [KINDS[kind], target === null ? null : `for ${target}`].filter((part) => part !== null);
      const statement = { name: shownName, detail: detail.join(' '), text: requirementText(dependency) };
      return [JSON.stringify([kind, target, shownName]), statement];
    }),
  );
}

function requirementText(dependency: PublishedDependency): string {
  const { versionReq, registry, optional, defaultFeatures, features } = dependency;
  const parts = [
    versionReq,
    registry === null ? null : `from ${registry}`,
    optional ? 'optional' : null,
    defaultFeatures ? null : 'without default features',
    features.length === 0 ? null : `with ${features.toSorted().join(', ')}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

function featureTexts({ features }: Pick<PublishMetadata, 'features'>): ReadonlyMap<string, Statement> {
  return new Map(
    Array.from(features, ([name, enabled]) => [
      name,
      { name, detail: '', text: enabled.length === 0 ? 'nothing' : enabled.toSorted().join(', ') },
    ]),
  );
}
