/** The setting with the sites whose badges readmes show. */
import { DEFAULT_BADGE_HOSTS, isBadgeHost, MAX_BADGE_HOSTS } from '../../shared/badge-hosts.ts';
import type { SettingChange } from '../../store/setting-records.ts';

/**
 * The name of the setting. Its value has one site per line; it is empty for the default sites. Without the setting,
 * badges are off.
 */
const SETTING = 'badge-hosts';
/** Maximum length of the text in the form. */
export const MAX_HOSTS_CHARS = 4000;

/** The form as the user filled it in. */
export interface BadgeForm {
  readonly isOn: boolean;
  /** Names of sites between spaces, line ends or commas; empty for the default ones. */
  readonly hosts: string;
}

/** Returns the stored sites; null if badges are off, or this release does not accept the value. */
export function storedBadgeHosts(settings: ReadonlyMap<string, Uint8Array>): readonly string[] | null {
  const { isOn, hosts } = storedBadgeForm(settings);
  return isOn ? parseBadgeHosts(hosts) : null;
}

/** Returns the form that shows the stored setting. */
export function storedBadgeForm(settings: ReadonlyMap<string, Uint8Array>): BadgeForm {
  const value = settings.get(SETTING);
  return { isOn: value !== undefined, hosts: value === undefined ? '' : Buffer.from(value).toString() };
}

/**
 * Returns the sites in a text, the default ones if it is empty; null if a word is no name of a site, or for too many.
 */
export function parseBadgeHosts(text: string): readonly string[] | null {
  if (text.length > MAX_HOSTS_CHARS) return null;
  const hosts = [...new Set(namesIn(text))];
  if (hosts.length === 0) return DEFAULT_BADGE_HOSTS;
  return hosts.length <= MAX_BADGE_HOSTS && hosts.every(isBadgeHost) ? hosts : null;
}

/** Returns the change that stores a form; null if nothing changes. `parseBadgeHosts` must accept the form's sites. */
export function badgeSettingChange(form: BadgeForm, stored: BadgeForm): SettingChange | null {
  const text = [...new Set(namesIn(form.hosts))].join('\n');
  if (!form.isOn)
    return stored.isOn ? { name: SETTING, value: null, detail: 'badges in readmes: off' } : null;
  if (stored.isOn && stored.hosts === text) return null;
  const sites = text === '' ? 'the default sites' : text.replaceAll('\n', ', ');
  return { name: SETTING, value: Buffer.from(text), detail: `badges in readmes: from ${sites}` };
}

function namesIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => name !== '');
}
