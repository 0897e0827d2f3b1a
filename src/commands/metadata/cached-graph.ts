/**
 * The described graph of a workspace, from the result cache if none of its inputs has changed. Of the members, it
 * depends only on dependencies, features and targets. So most edits of a manifest do not change it.
 */
import { differentResult, findEntry, isSameOutput, storeResult } from '../../cache/result-cache.ts';
import type { OutputChunk } from '../../cache/result-entry.ts';
import { resultKey } from '../../cache/result-key.ts';
import { InputRecorder, inputRecorder, recordingInputs } from '../../io/disk/input-recorder.ts';
import { dependencyText, graphText, packageText } from '../../core/document/package-text.ts';
import { type Report, reportThrough } from '../../core/report/report.ts';
import type { OpenedWorkspace } from '../shared/workspace/open-workspace.ts';
import type { WorkspaceRun } from '../shared/workspace/workspace-run.ts';
import type { MetadataOptions } from './options.ts';
import type { PackageParts, PrintedGraph } from './print.ts';

/** A function that makes the graph of a workspace without the cache. */
export type MakeGraph = (report: Report) => Promise<PrintedGraph>;

/**
 * Returns the result of `make`, from the cache if possible. Throws `bug` if `TSREG_CACHE=verify` finds a wrong result.
 */
export async function cachedGraph(
  run: WorkspaceRun<MetadataOptions>,
  opened: OpenedWorkspace,
  make: MakeGraph,
): Promise<PrintedGraph> {
  // Undefined if the run is not cached.
  const runRecorder = inputRecorder();
  const { config } = run.options;
  const request = graphRequest(run, opened);
  const key = request === null ? null : resultKey({ request, cwd: config.cwd, env: config.env }, 'graphs');
  if (runRecorder === undefined || key === null) return make(run.context.report);
  const verifies = config.env.TSREG_CACHE === 'verify';
  const cached = findEntry(key);
  const decoded = cached === null || verifies ? null : decode(cached.output);
  if (cached !== null && decoded !== null) {
    runRecorder.addStored(cached.inputs);
    return decoded;
  }
  const recorder = new InputRecorder(runRecorder);
  const report = reportThrough(run.context.report, (method, tell) => {
    if (method !== 'progress') recorder.reject('something was reported');
    tell();
  });
  const graph = await recordingInputs(recorder, () => make(report));
  runRecorder.add(recorder);
  const output = encode(graph);
  if (cached !== null && !isSameOutput(cached.output, output)) throw differentResult(key);
  runRecorder.afterRun(() => {
    storeResult(key, { recorder, output });
    recorder.endRun();
  });
  return graph;
}

/**
 * Returns every input of the graph except the files that it reads; null if the graph cannot be cached. Options count,
 * unless they are named here because they cannot change the graph.
 */
function graphRequest(
  { options, manifestPath, settings }: WorkspaceRun<MetadataOptions>,
  { workspace }: OpenedWorkspace,
): unknown {
  const {
    config,
    manifestPath: _typed,
    formatVersion: _version,
    noDeps: _noDeps,
    verbosity: _verbosity,
    ...graphOptions
  } = options;
  const { rootManifest, members, resolver, manifests } = workspace;
  if (rootManifest.replacements.length > 0) return null;
  const pathPackages = Array.from(manifests.loaded()).flatMap((manifest) =>
    manifest.kind === 'package' && !members.includes(manifest)
      ? [[manifest.path, packageText(manifest)]]
      : [],
  );
  return [
    manifestPath,
    workspace.root,
    resolver,
    settings().incompatibleRustVersions,
    graphOptions,
    JSON.stringify(config.values(), asJson),
    rootManifest.patches.map(({ source, dependency }) => [source.url, dependencyText(dependency)]),
    members.map((member) => [member.path, graphText(member)]),
    pathPackages,
  ];
}

/** Replaces maps and big integers of the configuration with values that JSON supports. For `JSON.stringify`. */
function asJson(_key: string, value: unknown): unknown {
  if (value instanceof Map) return [...value];
  return typeof value === 'bigint' ? value.toString() : value;
}

/**
 * Encodes the order of the packages (the index of a member, null for others), `resolve`, and the texts of the others.
 */
function encode({ packages, resolve }: PrintedGraph): readonly OutputChunk[] {
  const order = packages.map((entry) => (typeof entry === 'number' ? entry : null));
  const texts = packages.flatMap((entry) =>
    typeof entry === 'number' ? [] : entry.map((part) => Buffer.from(part)),
  );
  const chunks = [Buffer.from(JSON.stringify(order)), Buffer.from(resolve), ...texts];
  // The format of an entry requires a descriptor. Nothing is printed to it.
  return chunks.map((bytes) => ({ fd: 1, bytes }));
}

/** Returns the graph that `encode` encoded; null if `output` has another form. */
function decode(output: readonly OutputChunk[]): PrintedGraph | null {
  const [order, resolve, ...texts] = output.map(({ bytes }) => bytes);
  let indexes: readonly (number | null)[];
  try {
    indexes = JSON.parse(Buffer.from(order ?? []).toString('utf8'));
  } catch {
    return null;
  }
  if (!Array.isArray(indexes)) return null;
  const parts = texts.values();
  const nextPart = (): Uint8Array => parts.next().value ?? Buffer.alloc(0);
  return {
    packages: indexes.map((index): number | PackageParts => index ?? [nextPart(), nextPart(), nextPart()]),
    resolve: resolve ?? Buffer.alloc(0),
  };
}
