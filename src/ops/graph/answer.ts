/** Answers that are kept: which question they are for, and what of a graph they tell. */
import type { Config } from '../../config/config.ts';
import { type Answer, type AnswerKey, encodeAnswer } from '../../derived/answer-record.ts';
import type { PackageView } from '../../derived/package-view.ts';
import type { Summary } from '../../summary/summary.ts';
import type { DescribedGraph, LoadedGraph } from './describe-graph.ts';
import type { MetadataRun } from '../metadata/metadata-run.ts';
import { targetWarnings } from '../platform/target-settings.ts';
import { hostOfThisMachine } from '../version.ts';
import type { WorkspaceIdentities } from './remember-workspace.ts';

/** Everything that the graph depends on beside the workspace and its lock file, as text. */
export async function questionOf({ options, manifestPath }: MetadataRun): Promise<string> {
  const { config, idForm, features, allFeatures, noDefaultFeatures, filterPlatforms } = options;
  const platforms = await platformQuestion(filterPlatforms, config);
  return JSON.stringify([manifestPath, idForm, features, allFeatures, noDefaultFeatures, platforms]);
}

/** What is said and asked of platforms. Throws where settings of targets are wrong. */
async function platformQuestion(names: readonly string[], config: Config): Promise<unknown> {
  if (names.length === 0) return targetWarnings(config, { host: hostOfThisMachine, requested: [] });
  const { flagSettings } = await import('../platform/flagged-targets.ts');
  return [names, flagSettings(names, config)];
}

/**
 * What the answer to that question is about: resolving does without the targets of packages, but for several platforms
 * it counts which packages are procedural macros.
 */
export function subjectOf({ options }: MetadataRun): keyof WorkspaceIdentities {
  return options.filterPlatforms.length > 1 ? 'workspace' : 'graph';
}

/** What an answer refers to: the order in which packages were recorded. */
export interface RecordedOrder {
  readonly members: readonly PackageView[];
  /** Packages on paths that are no members. */
  readonly pathPackages: readonly PackageView[];
  readonly dependencies: readonly Summary[];
}

/** A question, and how the record of its answer is made: null if it tells of a package that was not recorded. */
export interface AskedQuestion {
  readonly question: string;
  /** Whether the answer holds as long as resolving learns the same of the workspace, or only while all of it is the same. */
  readonly about: keyof WorkspaceIdentities;
  readonly encode: (recorded: RecordedOrder, key: AnswerKey) => Uint8Array | null;
}

/** A graph, and what is told of it. */
export interface TellableGraph extends Pick<LoadedGraph, 'packages'> {
  readonly described: DescribedGraph;
  readonly warnings: readonly string[];
}

/** The record of what is told of a graph; null if it has a package that was not recorded. */
export function encodeGraphAnswer(
  graph: TellableGraph,
  recorded: RecordedOrder,
  key: AnswerKey,
): Uint8Array | null {
  const answer = answerOf(graph, recorded);
  return answer === null ? null : encodeAnswer(answer, key);
}

/** Finds the index by which a record refers to a package: NaN for one that was not recorded. */
export function recordIndexes({
  members,
  pathPackages,
  dependencies,
}: RecordedOrder): (view: PackageView) => number {
  const indexes = new Map<string, number>();
  for (const [index, { summary }] of [...members, ...pathPackages].entries())
    indexes.set(summary.id.key, -1 - index);
  for (const [index, { id }] of dependencies.entries()) indexes.set(id.key, index);
  return ({ summary }) => indexes.get(summary.id.key) ?? Number.NaN;
}

function answerOf(graph: TellableGraph, recorded: RecordedOrder): Answer | null {
  const indexOf = recordIndexes(recorded);
  const { packages, resolve } = graph.described;
  const printed = packages.map(indexOf);
  const needed = Array.from(graph.packages.values(), indexOf).filter((index) => !(index < 0));
  if ([...printed, ...needed].some(Number.isNaN)) return null;
  return { needed, printed, resolve, warnings: graph.warnings };
}
