/** The sections of `/admin/mirror` with the blocked and the allowed crates of the upstream. */
import type { UpstreamRuleKind, UpstreamRuleTarget } from '../../store/upstream-rule-records.ts';
import { timeElement } from '../shared/format.ts';
import { field, problemAttributes } from '../shared/form-parts.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { csrfField, namedPager, type Frame } from '../shared/layout.ts';
import type { ListPart } from '../shared/paging.ts';
import { withQuery } from '../shared/paths.ts';
import {
  EMPTY_FORM,
  MAX_NAME_CHARS,
  MAX_REASON_CHARS,
  MAX_VERSION_CHARS,
  type RefusedForm,
  type RuleForm,
} from './mirror-forms.ts';

/** The page with all sections. */
export const MIRROR_PATH = '/admin/mirror';

/** A rule of a flag or of an admin. */
export interface ShownRule extends UpstreamRuleTarget {
  readonly reason: string | null;
  /** null for a rule of a flag, which the page cannot remove. */
  readonly addedAtMs: number | null;
  /** Whether the rule has no effect, because another one allows what it blocks. */
  readonly isOverridden: boolean;
}

/** The rules of one kind, and the form for a new one. */
export interface RuleSectionView {
  readonly rules: ListPart<ShownRule>;
  /** null unless the form was just refused. */
  readonly refused: RefusedForm | null;
}

/** The texts of a section. */
interface SectionTexts {
  /** The ID of the section, and the parameter of the query for the part of its list. */
  readonly id: string;
  readonly heading: string;
  readonly about: HtmlValue;
  readonly emptyText: string;
  readonly flag: string;
  readonly formHeading: string;
  /** The text of the button that adds a rule, and the path to which it sends the form. */
  readonly addText: string;
  readonly addPath: string;
  /** The same for the button that removes a rule. */
  readonly removeText: string;
  readonly removePath: string;
}

const TEXTS: Readonly<Record<UpstreamRuleKind, SectionTexts>> = {
  block: {
    id: 'blocked',
    heading: 'Blocked',
    about:
      'Clients cannot download these crates and versions of the upstream, even if they are in the cache.',
    emptyText: 'Nothing is blocked.',
    flag: '--block',
    formHeading: 'Block a crate or a version',
    addText: 'Block',
    addPath: `${MIRROR_PATH}/block`,
    removeText: 'Unblock',
    removePath: `${MIRROR_PATH}/unblock`,
  },
  allow: {
    id: 'allowed',
    heading: 'Allowed',
    about:
      'Clients get these crates and versions of the upstream, whatever the other rules say. If the same version is blocked and allowed, it is allowed.',
    emptyText: 'There are no exceptions from the other rules.',
    flag: '--allow',
    formHeading: 'Allow a crate or a version',
    addText: 'Allow',
    addPath: `${MIRROR_PATH}/allow`,
    removeText: 'Remove',
    removePath: `${MIRROR_PATH}/disallow`,
  },
};

/** Returns the section with the rules of a kind. */
export function ruleSection(frame: Frame, kind: UpstreamRuleKind, view: RuleSectionView): Html {
  const { id, heading, about, emptyText, formHeading, addText, addPath } = TEXTS[kind];
  const { list, page, pages } = view.rules;
  const formId = `new-${id}`;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
<p>${about}${list.total > 0 && html` <a href="#${formId}">${formHeading}</a>`}</p>
${list.total === 0 ? html`<p class="quiet">${emptyText}</p>` : ruleTable(frame, kind, view.rules)}
${namedPager({ page, pages }, { label: `Pages of ${heading.toLowerCase()} crates`, pathOf: (other) => `${withQuery(MIRROR_PATH, { [id]: other === 1 ? null : other })}#${id}` })}
<h3 id="${formId}">${formHeading}</h3>
<form class="stack" method="post" action="${addPath}" aria-labelledby="${formId}">
${csrfField(frame)}
<div class="field pair">${nameField(id, view.refused, { label: 'Crate', hint: null })}
${versionField(id, view.refused)}</div>
${reasonField(id, view.refused)}
<div><button>${addText}</button></div>
</form></section>`;
}

function ruleTable(frame: Frame, kind: UpstreamRuleKind, { list, page }: ListPart<ShownRule>): Html {
  return html`<table class="cards"><thead><tr><th scope="col">Crate</th><th scope="col">Reason</th><th scope="col">Added</th><th scope="col"><span class="silent">Actions</span></th></tr></thead>
<tbody>${list.items.map((rule) => ruleRow(frame, rule, { texts: TEXTS[kind], page }))}</tbody></table>`;
}

function ruleRow(
  frame: Frame,
  { name, version, reason, addedAtMs, isOverridden }: ShownRule,
  { texts, page }: { readonly texts: SectionTexts; readonly page: number },
): Html {
  const { id, flag, removeText, removePath } = texts;
  const selector = version === null ? name : `${name}@${version}`;
  const path = withQuery(removePath, { [id]: page === 1 ? null : page });
  return html`<tr><td class="name"><code>${selector}</code>${isOverridden && html` <span class="badge mark">no effect: allowed below</span>`}</td>
<td class="name" data-label="Reason">${reason}</td>
<td data-label="Added">${addedAtMs === null ? html`<span class="quiet">given at the start: <code>${flag}</code></span>` : timeElement(addedAtMs, frame)}</td>
<td class="acts">${addedAtMs !== null && html`<form class="inline" method="post" action="${path}">${csrfField(frame)}<input type="hidden" name="name" value="${name}"><input type="hidden" name="version" value="${version}"><button class="plain slim">${removeText}<span class="silent"> ${selector}</span></button></form>`}</td></tr>
`;
}

/** Returns the field for the name. `id` is that of its section. */
export function nameField(
  id: string,
  refused: RefusedForm | null,
  { label, hint }: { readonly label: string; readonly hint: HtmlValue },
): Html {
  return textField(label, { name: 'name', id, refused, hint, maxChars: MAX_NAME_CHARS, isRequired: true });
}

function versionField(id: string, refused: RefusedForm | null): Html {
  const hint = 'Leave it empty for all versions.';
  return textField('Version', { name: 'version', id, refused, hint, maxChars: MAX_VERSION_CHARS });
}

/** Returns the field for the reason. `id` is that of its section. */
export function reasonField(id: string, refused: RefusedForm | null): Html {
  const hint = 'Only admins see it.';
  return textField('Reason (optional)', { name: 'reason', id, refused, hint, maxChars: MAX_REASON_CHARS });
}

/** A field of a form. */
interface TextField {
  readonly name: keyof RuleForm;
  readonly id: string;
  readonly refused: RefusedForm | null;
  readonly hint: HtmlValue;
  readonly maxChars: number;
  readonly isRequired?: boolean;
}

function textField(
  label: string,
  { name, id, refused, hint, maxChars, isRequired = false }: TextField,
): Html {
  const fieldId = `${id}-${name}`;
  const problem = refused?.problem.field === name ? refused.problem.text : null;
  const value = (refused?.form ?? EMPTY_FORM)[name];
  const attributes = problemAttributes(fieldId, { problem, hasHint: hint !== null });
  return field(
    label,
    html`<input id="${fieldId}" type="text" name="${name}" value="${value}"${isRequired && html` required`} maxlength="${maxChars}" autocomplete="off" autocapitalize="none" spellcheck="false"${attributes}>`,
    { id: fieldId, problem, hint },
  );
}
