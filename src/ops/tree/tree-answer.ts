/** Forests that are kept: which question they are for, and what of them is told. */
import { configuredTargets } from '../../config/compiler-settings.ts';
import type { AnswerKey } from '../../derived/answer-record.ts';
import type { RecalledDependencies } from '../../derived/dependency-record.ts';
import { encodeForest, type KeptForest, type ForestPackage } from '../../derived/forest-record.ts';
import type { PrintedPackage } from '../../derived/package-view.ts';
import type { RecalledWorkspace } from '../../derived/workspace-record.ts';
import { DamagedRecordError } from '../../derived/damaged-record-error.ts';
import type { Forest, ShownPackage } from '../../tree/forest.ts';
import { type RecordedOrder, recordIndexes } from '../graph/answer.ts';
import { flagSettings } from '../platform/flagged-targets.ts';
import type { MadeForest } from './make-forest.ts';
import { showPackage } from '../package/package-entry.ts';
import type { TreeRun } from './tree-run.ts';

/** Everything that a forest depends on beside the workspace and its lock file, as text. */
export function treeQuestion({ options, manifestPath }: TreeRun): string {
  const { kinds } = options;
  return JSON.stringify([
    'tree',
    manifestPath,
    options.features,
    options.allFeatures,
    options.noDefaultFeatures,
    options.packages,
    Array.from(kinds).sort(),
    options.showsFeatures,
    options.hidesProcMacros,
    options.targets,
    options.invert,
    options.duplicates,
    options.prune,
    flagSettings(
      options.targets.length === 0 ? configuredTargets(options.config) : options.targets,
      options.config,
    ),
  ]);
}

/** The record of a forest; null if it has a package that was not recorded. */
export function encodeTreeAnswer(
  { forest, warnings, views }: MadeForest,
  recorded: RecordedOrder,
  key: AnswerKey,
): Uint8Array | null {
  const indexOf = recordIndexes(recorded);
  const needed = Array.from(views.values(), indexOf).filter((index) => !(index < 0));
  if (needed.some(Number.isNaN)) return null;
  const packages = new Map<number, ForestPackage>();
  for (const node of forest?.graph.nodes ?? []) {
    if (forest === null || node.kind === 'feature' || packages.has(node.package)) continue;
    const view = views.get(node.package);
    if (view === undefined) return null;
    const index = node.package;
    const { name, version, title, libraryName, isProcMacro } = forest.packages(index);
    const shown = { name, version, title, libraryName, isProcMacro };
    packages.set(index, {
      ...shown,
      record: indexOf(view),
      isMember: forest.isMember(index),
      isPruned: forest.isPruned(index),
    });
  }
  return encodeForest({ needed, warnings, forest, packages }, key);
}

/** The forest of a record. Throws `DamagedRecordError` if it refers to what is not there. */
export function openForest(
  { forest, packages }: KeptForest,
  { members, pathPackages }: RecalledWorkspace,
  {
    dependencies,
    idForm,
  }: { readonly dependencies: RecalledDependencies; readonly idForm: 'legacy' | 'spec' },
): Forest | null {
  if (forest === null) return null;
  const onPaths = [...members, ...pathPackages];
  const printed = (record: number): PrintedPackage => {
    const found = record < 0 ? onPaths[-1 - record] : dependencies.packages[record]?.content;
    if (found === null || found === undefined) throw new DamagedRecordError('forest');
    return found;
  };
  const find = (index: number): ForestPackage => {
    const found = packages.get(index);
    if (found === undefined) throw new DamagedRecordError('forest');
    return found;
  };
  // Whatever is missing is to be known before anything is shown.
  for (const { record } of packages.values()) printed(record);
  for (const node of forest.graph.nodes) if (node.kind === 'package') find(node.package);
  return {
    ...forest,
    packages: (index): ShownPackage => {
      const kept = find(index);
      const each = printed(kept.record);
      return showPackage({ ...kept, id: each.text.id(idForm) }, each);
    },
    isMember: (index) => find(index).isMember,
    isPruned: (index) => find(index).isPruned,
  };
}
