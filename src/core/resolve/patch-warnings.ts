/** Warnings about patches that the graph does not contain. Cargo Book: Overriding Dependencies. */
import { describePackage, displayRegistryName } from '../package-id/describe.ts';
import type { Warning } from '../errors/warning.ts';
import { wordingByProgram, type ProgramName, type Wording } from '../errors/wording.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { Patches } from './problem.ts';
import type { Resolution } from './resolution.ts';

const advice = (
  program: ProgramName,
): string => `Check that the patched package version and available features are compatible
with the dependency requirements. If the patch has a different version from
what is locked in the Cargo.lock file, run \`${program} update\` to use the new
version. This may also occur with an optional dependency that is not enabled.`;

/** Returns the warnings about unused patches. Like cargo, gives the general advice once, with the last one. */
export function unusedPatchWarnings(
  resolution: Resolution,
  patches: Patches,
): readonly (Warning | Wording<Warning>)[] {
  const warnings: Warning[] = [];
  /** Titles of warnings without an explanation, which come last. */
  const unexplained: string[] = [];
  for (const unused of resolution.unusedPatches) {
    const title = `patch \`${describePackage(unused)}\` was not used in the crate graph`;
    const sources = sourcesOf(unused.name, resolution);
    const isPatched = sources.some((source) =>
      patches.bySource.get(source.canonicalUrl)?.summaries.some(({ id }) => id.key === unused.key),
    );
    if (sources.length === 0 || isPatched) {
      unexplained.push(title);
      continue;
    }
    const names = sources.map((source) => `\n\t${displayRegistryName(source)}`).join('');
    const text = `perhaps you meant one of the following:${names}`;
    warnings.push({ title, remarks: [{ label: 'help', text }] });
  }
  const last = unexplained.pop();
  if (last === undefined) return warnings;
  return [
    ...warnings,
    ...unexplained,
    wordingByProgram((program) => ({ title: last, help: advice(program) })),
  ];
}

/** Returns the sources of all packages named `name` in the graph, without duplicates. */
function sourcesOf(name: string, { packages }: Resolution): readonly SourceId[] {
  const sources = new Map<string, SourceId>();
  for (const { id } of packages) if (id.name === name) sources.set(id.source.unpinnedKey, id.source);
  return Array.from(sources.values());
}
