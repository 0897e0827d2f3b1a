/** Reads the form with which admins choose the identity of the site. */
import type { IdentityPart } from '../../server-context.ts';
import { formatColour, parseColour } from '../../shared/colour.ts';
import type { SettingChange } from '../../store/setting-records.ts';
import { formatSize } from '../shared/format.ts';
import {
  logoOf,
  MAX_LOGO_BYTES,
  MAX_REGISTRY_NAME_CHARS,
  MAX_SITE_NAME_CHARS,
  MAX_WELCOME_BYTES,
  parseRegistryName,
  parseSiteName,
  parseWelcome,
} from '../services/identity-values.ts';
import type { StoredIdentity } from '../services/stored-identity.ts';
import type { UploadForm } from '../shared/upload-form.ts';

/** The parts that are texts. */
export type IdentityText = Exclude<IdentityPart, 'logo'>;

/** The texts of the form as the user typed them; empty for the default value. */
export type IdentityTexts = Readonly<Record<IdentityText, string>>;

/** The problems of parts of the form, as sentences. */
export type IdentityProblems = Readonly<Partial<Record<IdentityPart, string>>>;

/** The fields of a form, and their problems. */
export interface IdentityFields {
  readonly texts: IdentityTexts;
  /** Empty if the form is valid. */
  readonly problems: IdentityProblems;
}

/** A form, and the changes that it requests. If there are problems, none of them must be made. */
export interface ReadIdentityForm extends IdentityFields {
  readonly changes: readonly SettingChange[];
}

/** The rules of a text. */
interface TextRule {
  /** Returns the text to store; null if it is not valid. */
  readonly parse: (text: string) => string | null;
  readonly problem: string;
  /** Returns the entry in the audit trail. `value` is null for the default value. */
  readonly detail: (value: string | null) => string;
}

const RULES: Readonly<Record<IdentityText, TextRule>> = {
  name: {
    parse: parseSiteName,
    problem: `Use at most ${MAX_SITE_NAME_CHARS} characters, all of them visible.`,
    detail: (value) => `name of the website: ${value ?? 'default'}`,
  },
  'registry-name': {
    parse: parseRegistryName,
    problem: `Use at most ${MAX_REGISTRY_NAME_CHARS} ASCII letters, digits, “-” and “_”, first a letter or “_”, and not “crates-io”.`,
    detail: (value) => `name of the registry in examples: ${value ?? 'default'}`,
  },
  accent: {
    parse(text) {
      const colour = parseColour(text);
      return colour === null ? null : formatColour(colour);
    },
    problem: 'Use a colour such as #3451b2.',
    detail: (value) => `colour: ${value ?? 'default'}`,
  },
  welcome: {
    parse: parseWelcome,
    problem: `Use at most ${formatSize(MAX_WELCOME_BYTES)}.`,
    detail: (value) => (value === null ? 'welcome text removed' : 'welcome text changed'),
  },
};

const TEXT_PARTS = ['name', 'registry-name', 'accent', 'welcome'] as const satisfies readonly IdentityText[];

/** Returns the texts of the form for a stored identity. */
export function identityTexts({ siteName, registryName, accent, welcome }: StoredIdentity): IdentityTexts {
  return {
    name: siteName ?? '',
    'registry-name': registryName ?? '',
    accent: accent === null ? '' : formatColour(accent),
    welcome: welcome ?? '',
  };
}

/** Reads a form. Ignores the parts in `fixed`, which keep their stored values. */
export function readIdentityForm(
  form: UploadForm,
  { stored, fixed }: { readonly stored: StoredIdentity; readonly fixed: ReadonlySet<IdentityPart> },
): ReadIdentityForm {
  const storedTexts = identityTexts(stored);
  const texts = { ...storedTexts };
  const problems: Partial<Record<IdentityPart, string>> = {};
  const changes: SettingChange[] = [];
  for (const part of TEXT_PARTS) {
    if (fixed.has(part)) continue;
    texts[part] = (form.get(part) ?? '').trim();
    const { parse, problem, detail } = RULES[part];
    const value = texts[part] === '' ? null : parse(texts[part]);
    if (value === null && texts[part] !== '') problems[part] = problem;
    else if ((value ?? '') !== storedTexts[part]) {
      changes.push({ name: part, value: value === null ? null : Buffer.from(value), detail: detail(value) });
    }
  }
  const logo = fixed.has('logo') ? null : readLogo(form, stored);
  if (typeof logo === 'string') problems.logo = logo;
  else if (logo !== null) changes.push(logo);
  return { texts, problems, changes };
}

/** Returns the change of the logo, or its problem as a sentence; null for no change. */
function readLogo(form: UploadForm, { logo: storedLogo }: StoredIdentity): SettingChange | string | null {
  const file = form.file('logo');
  if (file === null) {
    const isRemoved = storedLogo !== null && form.get('remove-logo') !== null;
    return isRemoved ? { name: 'logo', value: null, detail: 'logo removed' } : null;
  }
  const logo = logoOf(file);
  if (logo === null) return `Use an SVG, PNG, WebP or JPEG image of at most ${formatSize(MAX_LOGO_BYTES)}.`;
  if (storedLogo !== null && Buffer.compare(logo.bytes, storedLogo.bytes) === 0) return null;
  const detail = `logo: ${logo.kind.toUpperCase()} image of ${formatSize(logo.bytes.length)}`;
  return { name: 'logo', value: logo.bytes, detail };
}
