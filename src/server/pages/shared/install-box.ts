/** The box on the pages of a crate with the ways to use it. Its tabs are radio buttons. */
import { withoutBuild } from '../../shared/version-text.ts';
import type { PackageKind } from '../../source/manifest-facts.ts';
import type { PackageFacts } from '../../source/package-facts.ts';
import type { Version } from '../../store/values.ts';
import { html, type Html } from './html.ts';
import { copyBox, type Frame } from './layout.ts';

/** A version to use, and whether the reader has chosen it. */
export interface InstallView {
  readonly version: Version;
  /** null if unknown; the box then assumes a library. */
  readonly facts: PackageFacts | null;
  /** False if the page shows the crate's `maxVersion`, which cargo selects by itself. */
  readonly isVersionChosen: boolean;
}

/** A tab of the box. The stylesheet shows the element with the class `name` while the tab is selected. */
interface InstallTab {
  readonly name: 'add' | 'toml' | 'tsreg';
  readonly label: string;
  readonly content: Html;
}

/**
 * Returns the box with the commands of cargo for a library and for programs, the line for `Cargo.toml`, and commands of
 * tsreg.
 */
export function installBox({ identity }: Frame, view: InstallView): Html {
  const { registryName } = identity;
  const { version, facts, isVersionChosen } = view;
  // cargo ignores build metadata in a requirement, with a warning.
  const requirement = withoutBuild(version.version);
  const spec = isVersionChosen ? `${version.crate}@${requirement}` : version.crate;
  const words = `${spec} --registry ${registryName}`;
  const hasPrograms = facts?.hasPrograms === true;
  const hasLibrary = facts?.hasLibrary === true || !hasPrograms;
  const line = `${version.crate} = { version = "${requirement}", registry = "${registryName}" }`;
  const tabs: readonly (InstallTab | false)[] = [
    cargoTab(words, { hasLibrary, hasPrograms }),
    hasLibrary && {
      name: 'toml',
      label: 'Cargo.toml',
      content: copyBox('dependency-line', line, 'Line for Cargo.toml'),
    },
    { name: 'tsreg', label: 'tsreg', content: tsregCommands(words) },
  ];
  const title = hasLibrary ? 'Add to your project' : 'Install';
  return tabBox(
    title,
    tabs.filter((tab) => tab !== false),
  );
}

/** Returns the tab with the commands of cargo. `words` are the crate and the registry. */
function cargoTab(words: string, { hasLibrary, hasPrograms }: PackageKind): InstallTab {
  const add = copyBox('add-command', `cargo add ${words}`, 'Command that adds the crate');
  const install = copyBox(
    'install-command',
    `cargo install ${words}`,
    'Command that installs the programs of the crate',
  );
  if (!hasPrograms) return { name: 'add', label: 'cargo add', content: add };
  if (!hasLibrary) return { name: 'add', label: 'cargo install', content: install };
  const content = html`<p class="quiet">As a library:</p>
${add}
<p class="quiet">As a program:</p>
${install}`;
  return { name: 'add', label: 'cargo', content };
}

/** Returns the commands of tsreg for a crate, to copy. `words` are the crate and its registry. */
export function tsregCommands(words: string): Html {
  return html`<p class="quiet">Show its license, features and links:</p>
${copyBox('info-command', `tsreg info ${words}`, 'Command that shows the crate')}
<p class="quiet">Save its <code>.crate</code> file:</p>
${copyBox('download-command', `tsreg download ${words}`, 'Command that downloads the crate')}`;
}

function tabBox(title: string, tabs: readonly InstallTab[]): Html {
  return html`<fieldset class="install card"><legend>${title}</legend>
${tabs.map(
  ({ name, label }, index) =>
    html`<input class="silent" type="radio" name="install" id="install-${name}"${index === 0 && html` checked`}><label for="install-${name}">${label}</label>
`,
)}${tabs.map(({ name, content }) => html`<div class="${name}">${content}</div>`)}
</fieldset>`;
}
