/** The admin page with the settings of the website. */
import type { Identity, IdentityPart } from '../../server-context.ts';
import { formatColour } from '../../shared/colour.ts';
import { badgeSection, type BadgeSectionView } from './admin-badge-section.ts';
import { adminLayout } from './admin-frame.ts';
import { formatSize } from '../shared/format.ts';
import { checkbox, field, noteElement, problemAttributes, type Note } from '../shared/form-parts.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import type { IdentityProblems, IdentityText, IdentityTexts } from './identity-form.ts';
import {
  MAX_LOGO_BYTES,
  MAX_REGISTRY_NAME_CHARS,
  MAX_SITE_NAME_CHARS,
  MAX_WELCOME_BYTES,
} from '../services/identity-values.ts';
import { csrfField, type Frame } from '../shared/layout.ts';

/** The settings, and the problems of a submitted form. */
export interface AdminSettingsView {
  /** The fields of the form, as stored or as the user typed them. */
  readonly texts: IdentityTexts;
  /** Empty before the form is sent. */
  readonly problems: IdentityProblems;
  readonly hasStoredLogo: boolean;
  /** The identity of flags and default values, which applies where nothing is stored. */
  readonly base: Identity;
  /** The parts that flags set. Their fields are disabled. */
  readonly fixed: ReadonlySet<IdentityPart>;
  readonly badges: BadgeSectionView;
  readonly note: Note | null;
}

/** Returns the page of `/admin/settings`. */
export function adminSettingsPage(frame: Frame, view: AdminSettingsView): Html {
  const { base } = view;
  return adminLayout(frame, {
    tab: 'settings',
    title: 'Settings',
    content: html`${noteElement(view.note)}
<p>These settings belong to the registry. All its servers use them within a minute. A flag of <code>tsreg serve</code> takes precedence.</p>
<section aria-label="Look of the website"><form class="stack" method="post" action="/admin/settings" enctype="multipart/form-data">
${csrfField(frame)}
${textField(view, { part: 'name', label: 'Name of the website', baseValue: base.siteName, maxChars: MAX_SITE_NAME_CHARS, hint: 'In the header and in titles.' })}
${textField(view, { part: 'registry-name', label: 'Name of the registry in examples', baseValue: base.registryName, maxChars: MAX_REGISTRY_NAME_CHARS, hint: html`As in <code>[registries.NAME]</code> and <code>--registry NAME</code>.` })}
${textField(view, { part: 'accent', label: 'Colour of links and buttons', baseValue: formatColour(base.accent), maxChars: 7, hint: html`As <code>#rrggbb</code>. The server adjusts it if the contrast is too low.` })}
${logoField(frame, view)}
${welcomeField(view)}
<div><button>Save settings</button></div>
</form></section>
${badgeSection(frame, view.badges)}`,
  });
}

/** A field with one line. */
interface TextField {
  readonly part: IdentityText;
  readonly label: string;
  /** The value without a setting: that of a flag, or the default one. */
  readonly baseValue: string;
  readonly maxChars: number;
  readonly hint: HtmlValue;
}

function textField(view: AdminSettingsView, { part, label, baseValue, maxChars, hint }: TextField): Html {
  const isFixed = view.fixed.has(part);
  const value = isFixed ? baseValue : view.texts[part];
  const problem = view.problems[part] ?? null;
  return field(
    label,
    html`<input id="${part}" type="text" name="${part}" value="${value}" placeholder="${baseValue}" maxlength="${maxChars}" autocomplete="off" spellcheck="false"${isFixed && DISABLED}${problemAttributes(part, { problem, hasHint: true })}>`,
    {
      id: part,
      problem,
      hint: isFixed ? fixedHint(part) : html`${hint} Leave it empty for <code>${baseValue}</code>.`,
    },
  );
}

function logoField(frame: Frame, { fixed, problems, hasStoredLogo }: AdminSettingsView): Html {
  const isFixed = fixed.has('logo');
  const problem = problems.logo ?? null;
  const hint = isFixed
    ? fixedHint('logo')
    : html`SVG, PNG, WebP or JPEG, at most ${formatSize(MAX_LOGO_BYTES)}. Without a logo, the site shows the first letter of its name.`;
  return html`<div class="logo-field">${field(
    'Logo',
    html`<div class="logo-row"><img src="${frame.assets.icon.path}" alt="Current logo"><input id="logo" type="file" name="logo" accept=".svg,.png,.webp,.jpg,.jpeg"${isFixed && DISABLED}${problemAttributes('logo', { problem, hasHint: true })}></div>`,
    { id: 'logo', problem, hint },
  )}
${hasStoredLogo && !isFixed && checkbox('Remove the logo', { name: 'remove-logo' })}</div>`;
}

function welcomeField({ fixed, texts, problems }: AdminSettingsView): Html {
  const isFixed = fixed.has('welcome');
  const problem = problems.welcome ?? null;
  const hint = isFixed
    ? fixedHint('welcome')
    : html`Markdown, at most ${formatSize(MAX_WELCOME_BYTES)}. Leave it empty for none.`;
  return field(
    'Welcome text on the start page',
    // Browsers drop the first line break of a `textarea` (HTML Standard). Without this one, it could be part of the
    // text.
    html`<textarea id="welcome" class="mono" name="welcome" rows="8"${isFixed && DISABLED}${problemAttributes('welcome', { problem, hasHint: true })}>
${!isFixed && texts.welcome}</textarea>`,
    { id: 'welcome', problem, hint },
  );
}

const DISABLED = html` disabled`;

function fixedHint(part: IdentityPart): Html {
  return html`The flag <code>--${part}</code> of this server sets this.`;
}
