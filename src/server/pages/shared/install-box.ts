/** The box on the pages of a crate with the ways to add it to a project. Its tabs are radio buttons. */
import type { Version } from '../../store/values.ts';
import { html, type Html } from './html.ts';
import { copyBox, type Frame } from './layout.ts';

/** A version to add, and whether the reader has chosen it. */
export interface InstallView {
  readonly version: Version;
  /** False if the page shows the crate's `maxVersion`, which cargo selects by itself. */
  readonly isVersionChosen: boolean;
}

/** Returns the box with the command for `cargo add`, and the line for `Cargo.toml`. */
export function installBox({ identity }: Frame, { version, isVersionChosen }: InstallView): Html {
  const { registryName } = identity;
  const { crate } = version;
  // cargo ignores build metadata in a requirement, with a warning.
  const requirement = version.version.replace(/\+.*$/, '');
  const spec = isVersionChosen ? `${crate}@${requirement}` : crate;
  const command = `cargo add ${spec} --registry ${registryName}`;
  const line = `${crate} = { version = "${requirement}", registry = "${registryName}" }`;
  return html`<fieldset class="install card"><legend>Add to your project</legend>
<input class="silent" type="radio" name="install" id="install-add" checked><label for="install-add">cargo add</label>
<input class="silent" type="radio" name="install" id="install-toml"><label for="install-toml">Cargo.toml</label>
<div class="add">${copyBox('add-command', command, 'Command that adds the crate')}</div>
<div class="toml">${copyBox('dependency-line', line, 'Line for Cargo.toml')}</div>
</fieldset>`;
}
