/** `read-manifest`: prints one package of a workspace. Deprecated in cargo, but still in use. */
import type { Command, Invocation } from '../shared/command.ts';
import { valueOf } from '../shared/command.ts';
import { MANIFEST_PATH_FLAGS, SILENT_SUGGESTION } from '../shared/common-flags.ts';

/** The flags of `tsreg read-manifest`, and its run. */
export const READ_MANIFEST: Command = {
  name: 'read-manifest',
  about: 'Print the current package as JSON (deprecated, use `metadata`)',
  cargoAbout: 'DEPRECATED: Print a JSON representation of a Cargo.toml manifest.',
  isHidden: true,
  supportedGlobalFlags: ['verbose', 'quiet', 'color', 'config'],
  isCacheable: true,
  flags: [SILENT_SUGGESTION, ...MANIFEST_PATH_FLAGS],
  run,
};

async function run({ values, identity, config, shell }: Invocation): Promise<void> {
  const { readManifest } = await import('./run.ts');
  const options = { config, manifestPath: valueOf(values, 'manifest-path'), idForm: identity.idForm };
  shell.writeOut(`${readManifest(options, { report: shell })}\n`);
}
