/** Checks of a published version against the crates that are known here and in the upstream. */
import type { PublishMetadata } from '../../core/protocol/publish-metadata.ts';
import type { ServerContext } from '../server-context.ts';
import { UpstreamProblem } from '../shared/upstream-problem.ts';
import { publishProblem } from './publish-problem.ts';

/** The sources of known crates. */
type CrateSources = Pick<ServerContext, 'records' | 'upstream'>;

/**
 * Returns why a new crate must not have the name of one of the upstream; null if there is none or the name is reserved.
 * Throws `UpstreamProblem` if the upstream does not respond.
 */
export async function findShadow({ records, upstream }: CrateSources, name: string): Promise<string | null> {
  if (upstream === null || (await records.isReserved(name))) return null;
  const allow = `the operator of this registry can allow it: \`tsreg serve own-name add ${name}\``;
  let existing: string | null;
  try {
    existing = await upstream.findSameName(name);
  } catch (error) {
    if (!(error instanceof UpstreamProblem)) throw error;
    throw new UpstreamProblem(
      `cannot check whether the upstream has a crate named \`${name}\`; try again later, or ${allow}\n${error.message}`,
    );
  }
  if (existing === null) return null;
  return `a crate named \`${existing}\` comes from the upstream \`${upstream.index}\`, and this one would replace it for everybody; ${allow}`;
}

/**
 * Throws unless all dependencies are known here or in the upstream: a strict registry can resolve every package. Names
 * must have the spelling of their crate.
 */
export async function requireKnownDependencies(
  { records, upstream }: CrateSources,
  { dependencies, name: ownName }: PublishMetadata,
): Promise<void> {
  for (const name of new Set(dependencies.map((dependency) => dependency.name))) {
    if (name === ownName) continue;
    const crate = await records.findCrate(name);
    if (crate === null && (await upstream?.findName(name)) === name) continue;
    if (crate?.name !== name) throw publishProblem(`no known crate named \`${name}\``);
  }
}
