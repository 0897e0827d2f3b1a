/** `locate-project`: prints where a manifest is. Cargo Book: cargo locate-project. */
import { type Command, isGiven, type Invocation, valueOf } from '../shared/command.ts';
import { switchFlag, valueFlag } from '../shared/flag.ts';
import { MANIFEST_PATH_FLAGS, SILENT_SUGGESTION } from '../shared/common-flags.ts';

/** The flags of `tsreg locate-project`, and its run. */
export const LOCATE_PROJECT: Command = {
  name: 'locate-project',
  about: 'Print the path of the current `Cargo.toml`',
  cargoAbout: "Print a JSON representation of a Cargo.toml file's location",
  supportedGlobalFlags: ['verbose', 'quiet', 'color', 'config'],
  isCacheable: true,
  flags: [
    switchFlag('workspace', 'Print the path of the `Cargo.toml` of the workspace', {
      cargoHelp: 'Locate Cargo.toml of the workspace root',
    }),
    valueFlag('message-format', 'FMT', {
      help: 'Output format',
      cargoHelp: 'Output representation',
      values: ['json', 'plain'],
      ignoresCase: true,
    }),
    SILENT_SUGGESTION,
    ...MANIFEST_PATH_FLAGS,
  ],
  run,
};

async function run({ values, config, shell }: Invocation): Promise<void> {
  const { locateProject } = await import('./run.ts');
  const options = {
    config,
    manifestPath: valueOf(values, 'manifest-path'),
    workspace: isGiven(values, 'workspace'),
  };
  const root = await locateProject(options, { report: shell });
  const isPlain = valueOf(values, 'message-format')?.toLowerCase() === 'plain';
  if (isPlain) shell.writeText(`${root}\n`);
  else shell.writeOut(`${JSON.stringify({ root })}\n`);
}
