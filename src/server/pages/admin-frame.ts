/** What the pages for admins share. */
import { html, type Html, type HtmlValue } from './html.ts';
import { layout, type Frame } from './layout.ts';

const TABS = [
  ['overview', '/admin', 'Overview'],
  ['users', '/admin/users', 'Users'],
  ['crates', '/admin/crates', 'Crates'],
  ['publishers', '/admin/publishers', 'Trusted publishing'],
  ['audit', '/admin/audit', 'Audit trail'],
] as const;

/** The parts of the administration. */
export type AdminTab = (typeof TABS)[number][0];

/** A page for admins, under the tab that it belongs to. */
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
