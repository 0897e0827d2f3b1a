/** `metadata`: prints a workspace and its resolved dependencies. Cargo Book: cargo-metadata(1). */
import { isAbsolute, join } from 'node:path';
import { type Command, isGiven, type Invocation, valueOf, valuesOf } from '../shared/command.ts';
import { rejectedFlag, switchFlag, valueFlag } from '../shared/flag.ts';
import { workspaceFlags } from '../shared/workspace/workspace-flags.ts';
import { DOCUMENT_FIELDS } from '../../core/document/document-fields.ts';
import { BufferedWriter } from '../../io/terminal/buffered-writer.ts';
import { FEATURE_FLAGS, manifestPathFlags, SILENT_SUGGESTION } from '../shared/common-flags.ts';

/** The flags of `tsreg metadata`, and its run. */
export const METADATA: Command = {
  name: 'metadata',
  about: 'Print the workspace and its resolved dependencies as JSON',
  cargoAbout:
    'Output the resolved dependencies of a package, the concrete used versions including overrides, ' +
    'in machine-readable format',
  network: 'optional',
  isCacheable: true,
  flags: [
    valueFlag('filter-platform', 'TRIPLE', {
      kind: 'list',
      help: 'Leave out packages that only other targets need; may be repeated',
      cargoHelp: 'Only include resolve dependencies matching the given target-triple',
    }),
    switchFlag('no-deps', 'Print only the workspace members, without dependencies', {
      cargoHelp: "Output information only about the workspace members and don't fetch dependencies",
    }),
    valueFlag('format-version', 'VERSION', {
      help: 'Version of the output format',
      cargoHelp: 'Format version',
      values: ['1'],
    }),
    valueFlag('package-id-format', 'FORM', { help: 'How to write package IDs', values: ['legacy', 'spec'] }),
    valueFlag('fields', 'FIELDS', {
      kind: 'list',
      delimiter: ',',
      help: 'Print only these fields of the document, separated by commas',
      values: DOCUMENT_FIELDS,
      isAbsentInCargo: true,
    }),
    rejectedFlag('json', { tips: ['the output is always JSON'] }, { isAbsentInCargo: true }),
    switchFlag('schema', 'Print the JSON Schema of the output and exit', { isAbsentInCargo: true }),
    SILENT_SUGGESTION,
    ...FEATURE_FLAGS,
    ...manifestPathFlags({ kind: 'list', isSingleInCargo: true }),
    valueFlag('lockfile-path', 'PATH', {
      help: 'Path to Cargo.lock (unstable)',
      heading: 'Manifest Options',
      isUnstable: true,
    }),
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, identity, config, shell } = invocation;
  if (isGiven(values, 'schema')) {
    const { METADATA_SCHEMA } = await import('../../core/document/schema.ts');
    shell.writeOut(`${JSON.stringify(METADATA_SCHEMA, null, 2)}\n`);
    return;
  }
  const { metadata } = await import('./run.ts');
  const form = valueOf(values, 'package-id-format');
  const fields = valuesOf(values, 'fields');
  const lockfile = valueOf(values, 'lockfile-path');
  const options = {
    ...workspaceFlags(invocation),
    formatVersion: isGiven(values, 'format-version') ? 1 : null,
    noDeps: isGiven(values, 'no-deps'),
    filterPlatforms: valuesOf(values, 'filter-platform'),
    idForm: form === 'legacy' || form === 'spec' ? form : identity.idForm,
    fields: DOCUMENT_FIELDS.filter((field) => fields.length === 0 || fields.includes(field)),
    lockfilePath: lockfile === null ? null : absolute(lockfile, config.cwd),
  } as const;
  const typedPaths = valuesOf(values, 'manifest-path');
  const manifestPaths = typedPaths.length === 0 ? [null] : typedPaths;
  for (const manifestPath of manifestPaths) {
    const context = {
      report: shell,
      // Not read here: each read makes a signal, which a cached run does not need.
      get signal() {
        return invocation.signal;
      },
    };
    const document = await metadata({ ...options, manifestPath }, context);
    const writer = new BufferedWriter((chunk) => shell.writeOut(chunk));
    document(writer.add);
    writer.add('\n');
    writer.end();
  }
}

function absolute(path: string, cwd: string): string {
  return isAbsolute(path) ? path : join(cwd, path);
}
