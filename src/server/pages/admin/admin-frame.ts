import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { layout, type Frame } from '../shared/layout.ts';

const TABS = [
  ['overview', '/admin', 'Overview'],
  ['users', '/admin/users', 'Users'],
  ['teams', '/admin/teams', 'Teams'],
  ['crates', '/admin/crates', 'Crates'],
  ['publishers', '/admin/publishers', 'Trusted publishing'],
  ['mirror', '/admin/mirror', 'Mirror'],
  ['advisories', '/admin/advisories', 'Advisories'],
  ['audit', '/admin/audit', 'Audit trail'],
  ['settings', '/admin/settings', 'Settings'],
] as const;

/** The tabs of the admin pages. */
export type AdminTab = (typeof TABS)[number][0];

/** Returns an admin page under its tab. */
export function adminLayout(
  frame: Frame,
  { tab, title, content }: { readonly tab: AdminTab; readonly title: string; readonly content: HtmlValue },
): Html {
  return layout(frame, {
    title,
    content: html`<h1>${title}</h1>
<nav class="tabs" aria-label="Administration"><ul>${TABS.map(
      ([name, path, label]) =>
        html`<li><a href="${path}"${name === tab && html` aria-current="page"`}>${label}</a></li>`,
    )}</ul></nav>
${content}`,
  });
}
