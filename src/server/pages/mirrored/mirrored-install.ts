/** The box on the pages of a cached crate with the ways to use it. Its tabs are radio buttons. */
import { withoutBuild } from '../../shared/version-text.ts';
import { html, type Html } from '../shared/html.ts';
import { tsregCommands } from '../shared/install-box.ts';
import { copyBox, type Frame } from '../shared/layout.ts';
import type { MirroredView } from './mirrored-view.ts';

/**
 * Returns the box with the command for `cargo add`, the line for `Cargo.toml`, commands of tsreg, and the configuration
 * that they need. With crates.io as the upstream, they are the same as without this registry, which replaces it.
 */
export function mirroredInstallBox({ identity }: Frame, view: MirroredView): Html {
  const { crate, version, isVersionChosen, upstream } = view;
  const { registryName } = identity;
  // cargo ignores build metadata in a requirement, with a warning.
  const requirement = withoutBuild(version.version);
  const spec = isVersionChosen ? `${crate.name}@${requirement}` : crate.name;
  const words = upstream.isCratesIo ? spec : `${spec} --registry ${registryName}`;
  const line = upstream.isCratesIo
    ? `${crate.name} = "${requirement}"`
    : `${crate.name} = { version = "${requirement}", registry = "${registryName}" }`;
  const config = configOf(registryName, view);
  return html`<fieldset class="install card"><legend>Add to your project</legend>
<input class="silent" type="radio" name="install" id="install-add" checked><label for="install-add">cargo add</label>
<input class="silent" type="radio" name="install" id="install-toml"><label for="install-toml">Cargo.toml</label>
<input class="silent" type="radio" name="install" id="install-tsreg"><label for="install-tsreg">tsreg</label>
<input class="silent" type="radio" name="install" id="install-config"><label for="install-config">Setup</label>
<div class="add">${copyBox('add-command', `cargo add ${words}`, 'Command that adds the crate')}</div>
<div class="toml">${copyBox('dependency-line', line, 'Line for Cargo.toml')}</div>
<div class="tsreg">${tsregCommands(words)}</div>
<div class="config">${copyBox('mirror-config', config, 'Lines for .cargo/config.toml')}
<p class="quiet small">In <code>.cargo/config.toml</code>, once for each project or user.</p></div>
</fieldset>`;
}

/** Returns the configuration that `docs/mirror.md` recommends. Only an entry in `[registries]` can have a token. */
function configOf(registryName: string, { upstream, mirrorIndex, isPrivate }: MirroredView): string {
  const provider = isPrivate ? '\ncredential-provider = ["cargo:token"]' : '';
  const registry = `[registries.${registryName}]\nindex = "${mirrorIndex}"${provider}`;
  if (!upstream.isCratesIo) return registry;
  if (isPrivate) return `[source.crates-io]\nreplace-with = "${registryName}"\n\n${registry}`;
  return `[source.crates-io]\nreplace-with = "mirror"\n\n[source.mirror]\nregistry = "${mirrorIndex}"`;
}
