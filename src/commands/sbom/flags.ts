/** `sbom`: describes what a workspace consists of, as a software bill of materials. */
import type { DependencyKind } from '../../core/summary/summary.ts';
import { type Command, isGiven, type Invocation, valueOf, valuesOf } from '../shared/command.ts';
import {
  FEATURE_FLAGS,
  MANIFEST_PATH_FLAGS,
  packageFlags,
  SHORT_TARGET_SUGGESTION,
  SILENT_SUGGESTION,
} from '../shared/common-flags.ts';
import { valueFlag } from '../shared/flag.ts';
import { missingTarget } from '../shared/workspace/missing-values.ts';
import { packageSelection } from '../shared/workspace/package-selection.ts';
import { workspaceFlags } from '../shared/workspace/workspace-flags.ts';
import type { SbomFormat } from './run.ts';

const PACKAGE_TEXTS = {
  package: 'Package to describe; may be repeated',
  workspace: 'Describe all workspace members',
  exclude: 'Workspace member to leave out; may be repeated',
};

const KINDS: readonly DependencyKind[] = ['normal', 'build', 'dev'];
/** The kinds that a build needs. cargo-cyclonedx has the same default. */
const DEFAULT_KINDS: readonly string[] = ['normal', 'build'];

const FORMAT_NAMES: Readonly<Record<SbomFormat, string>> = { cyclonedx: 'CycloneDX 1.6', spdx: 'SPDX 2.3' };

/** The flags of `tsreg sbom`, and its run. */
export const SBOM: Command = {
  name: 'sbom',
  about: 'Print a software bill of materials (SBOM)',
  network: 'optional',
  isCacheable: true,
  flags: [
    valueFlag('format', 'FORMAT', {
      help: 'Format of the document [default: cyclonedx]',
      values: ['cyclonedx', 'spdx'],
    }),
    valueFlag('output', 'FILE', {
      short: 'o',
      refusesEmpty: true,
      help: 'File to write, or `-` for stdout [default: stdout]',
    }),
    valueFlag('edges', 'KINDS', {
      short: 'e',
      kind: 'list',
      delimiter: ',',
      help: 'Kinds of dependencies to include, separated by commas [default: normal,build]',
      values: [...KINDS, 'all'],
    }),
    SILENT_SUGGESTION,
    ...packageFlags(PACKAGE_TEXTS, PACKAGE_TEXTS),
    ...FEATURE_FLAGS,
    valueFlag('target', 'TRIPLE', {
      kind: 'list',
      valueIsOptional: true,
      help: 'Include the dependencies for this target, or for `all` targets [default: the host]',
      heading: 'Compilation Options',
    }),
    SHORT_TARGET_SUGGESTION,
    ...MANIFEST_PATH_FLAGS,
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, config, shell, signal } = invocation;
  const targets = valuesOf(values, 'target');
  if (isGiven(values, 'target') && targets.length === 0) throw missingTarget({ env: config.env });
  const edges = isGiven(values, 'edges') ? valuesOf(values, 'edges') : DEFAULT_KINDS;
  const format: SbomFormat = valueOf(values, 'format') === 'spdx' ? 'spdx' : 'cyclonedx';
  const given = valueOf(values, 'output');
  const output = given === '-' ? null : given;
  const { outputPath, writeOutput } = await import('./output-file.ts');
  const path = output === null ? null : outputPath(output, config.cwd);
  const { sbom } = await import('./run.ts');
  const options = {
    ...workspaceFlags(invocation),
    ...packageSelection(values),
    kinds: new Set(KINDS.filter((kind) => edges.includes(kind) || edges.includes('all'))),
    targets,
    format,
  };
  const { bill, text } = await sbom(options, { report: shell, signal });
  if (path === null) {
    shell.writeOut(text);
  } else {
    await writeOutput(path, text);
    const count = bill.components.length;
    const packages = count === 1 ? '1 package' : `${count} packages`;
    shell.status('Created', `${output} (${FORMAT_NAMES[format]}, ${packages})`);
  }
  if (format === 'spdx' && bill.created === null) {
    shell.note('the document has 1970 as its creation time', 'to set it, use `SOURCE_DATE_EPOCH`');
  }
}
