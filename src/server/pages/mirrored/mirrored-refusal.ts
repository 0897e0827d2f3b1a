/** Why this registry does not serve a version of the upstream, on the pages of its crate. */
import type { GateReason, StatedLicense } from '../../store/mirror-status.ts';
import { minuteElement } from '../shared/format.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';

/** Returns the note on the page of a version. */
export function refusalNote(reason: GateReason): Html {
  switch (reason.kind) {
    case 'blocked':
      return html`<div class="note bad"><p>This registry blocks this version. Clients cannot download it from here.</p></div>`;
    case 'too-young':
      return html`<div class="note mark"><p>This version is too new for this registry, which serves it from ${minuteElement(reason.untilMs)} on.</p></div>`;
    case 'advisory':
      return html`<div class="note bad"><p>This registry does not serve versions with known vulnerabilities. Clients cannot download this version from here.</p></div>`;
    case 'license':
      return html`<div class="note bad"><p>Clients cannot download this version from here: ${licenseText(reason.license)}, and the rule <code>${reason.rule}</code> refuses it.</p></div>`;
  }
}

/** Returns the badge in the list of versions. */
export function refusalBadge(reason: GateReason): HtmlValue {
  switch (reason.kind) {
    case 'blocked':
      return html` <span class="badge bad">blocked</span>`;
    case 'too-young':
      return html` <span class="badge mark">too new</span><br><span class="quiet small">until ${minuteElement(reason.untilMs)}</span>`;
    case 'advisory':
      return html` <span class="badge bad">not served</span>`;
    case 'license':
      return html` <span class="badge bad">license refused</span>`;
  }
}

function licenseText(license: StatedLicense): HtmlValue {
  switch (license.kind) {
    case 'expression':
      return html`its license is <code>${license.text}</code>`;
    case 'file':
      return 'it has a license file, but no SPDX license';
    case 'none':
      return 'it states no license';
    case 'unreadable':
      return 'its license cannot be read';
  }
}
