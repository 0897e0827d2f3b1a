/** `/crates/NAME/settings`: the page on which owners manage a crate, and members of teams its versions. */
import { crateLayout, type CrateView } from '../shared/crate-frame.ts';
import { noteElement, type Note } from '../shared/form-parts.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import type { Frame } from '../shared/layout.ts';
import { ownerSettings } from './settings-owners.ts';
import { publisherSettings, type PublisherSettingsView } from './settings-publishers.ts';
import { versionSettings, type VersionSettingsView } from './settings-versions.ts';

/** The data of the page, besides the crate. */
export interface SettingsView extends PublisherSettingsView, VersionSettingsView {
  /** The result of the form that led here; null for none. */
  readonly note: Note | null;
  /** The login that could not be added as an owner; empty for none. */
  readonly newOwner: string;
}

/** Returns the page. */
export function settingsPage(frame: Frame, view: CrateView, settings: SettingsView): Html {
  return crateLayout(frame, view, {
    tab: 'settings',
    content: html`<div class="settings"><h2 class="silent">Settings</h2>
${noteElement(settings.note)}
${view.rights === 'all' ? settingsOfOwners(frame, view, settings) : MEMBERS_LEAD}
${versionSettings(frame, view, settings)}</div>`,
  });
}

function settingsOfOwners(frame: Frame, view: CrateView, settings: SettingsView): HtmlValue {
  return [ownerSettings(frame, view, settings), publisherSettings(frame, view, settings)];
}

const MEMBERS_LEAD = html`<p>You belong to a team that owns this crate: you can publish and yank versions, and change their documentation. Only owners can change the other settings.</p>`;
