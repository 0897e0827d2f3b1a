/** `diff`: compares two packages. */
import { type Command, isGiven, type Invocation, valueOf, valuesOf } from '../shared/command.ts';
import { positionalFlag, switchFlag } from '../shared/flag.ts';
import { registryFlags, SILENT_SUGGESTION } from '../shared/common-flags.ts';

/** The flags of `tsreg diff`, and its run. */
export const DIFF: Command = {
  name: 'diff',
  about: 'Compare two versions of a crate',
  supportedGlobalFlags: ['verbose', 'quiet', 'color', 'offline', 'frozen', 'config'],
  network: 'optional',
  flags: [
    positionalFlag('crates', 'SPEC', {
      isRequired: true,
      help: 'Two crates or `.crate` files, such as `log@0.4.0 log`; or a name and two versions',
    }),
    switchFlag('stat', 'List the changed files without their lines'),
    ...registryFlags({ index: 'Index URL of the registry to use', registry: 'Name of the registry to use' }),
    switchFlag('json', 'Print the differences as JSON'),
    SILENT_SUGGESTION,
  ],
  annotatesErrors: true,
  run,
};

async function run({ values, config, offline, shell, signal }: Invocation): Promise<void> {
  const { diff } = await import('./run.ts');
  const options = {
    config,
    words: valuesOf(values, 'crates'),
    registry: { registry: valueOf(values, 'registry'), index: valueOf(values, 'index') },
    locked: isGiven(values, 'locked'),
    frozen: isGiven(values, 'frozen'),
    offline,
    verbosity: shell.verbosity,
  };
  const difference = await diff(options, { report: shell, signal });
  const isStat = isGiven(values, 'stat');
  if (isGiven(values, 'json')) {
    const { diffDocument } = await import('./document.ts');
    shell.writeOut(`${JSON.stringify(diffDocument(difference, { withLines: !isStat }))}\n`);
    return;
  }
  const { statText, summaryText } = await import('./print.ts');
  const { files } = difference;
  shell.writeText(summaryText(difference));
  if (files.length === 0) return;
  if (isStat) {
    shell.writeText(statText(files));
    return;
  }
  const { patchText } = await import('./patch-text.ts');
  shell.writeText('\n');
  // Safe: `writeText` would also change `::` at the start of a line, which is common in Rust.
  for (const file of files) shell.writeOut(patchText(file));
}
