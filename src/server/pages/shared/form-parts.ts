/** Parts of pages with forms: notes about the result, fields and checkboxes. */
import { html, type Html, type HtmlValue } from './html.ts';

/** A message at the top of a page. */
export interface Note {
  readonly kind: 'good' | 'bad';
  readonly text: string;
}

/** Returns the element of a note, which screen readers announce at once; nothing for null. */
export function noteElement(note: Note | null): HtmlValue {
  return (
    note !== null && html`<div class="note ${note.kind}" role="${ROLES[note.kind]}"><p>${note.text}</p></div>`
  );
}

/**
 * Returns the message about the form that led to a page; null if none did. `done` is the value of that name in the
 * query, and a key of `texts`.
 */
export function doneNote(texts: Readonly<Record<string, string>>, done: string | undefined): Note | null {
  const text = done !== undefined && Object.hasOwn(texts, done) ? texts[done] : undefined;
  return text === undefined ? null : { kind: 'good', text };
}

/** Returns the note for a form that was not accepted. */
export function badNote(text: string): Note {
  return { kind: 'bad', text };
}

const ROLES = { good: 'status', bad: 'alert' } as const;

/** Returns a field of a form with its label, and its problem and a hint below it. */
export function field(
  label: HtmlValue,
  input: Html,
  {
    id,
    hint = null,
    problem = null,
  }: { readonly id: string; readonly hint?: HtmlValue; readonly problem?: string | null },
): Html {
  return html`<div class="field"><label for="${id}">${label}</label>
${input}
${problemElement(id, problem)}${hint !== null && html`<p class="hint" id="${id}-hint">${hint}</p>`}</div>`;
}

/** Returns the element with the problem of a field, which `problemAttributes` refers to; nothing for null. */
export function problemElement(id: string, problem: string | null): HtmlValue {
  return problem !== null && html`<p class="problem" id="${id}-problem">${problem}</p>`;
}

/** Returns the attributes of an input: its descriptions, and the focus if it has a problem; null for none. */
export function problemAttributes(
  id: string,
  { problem, hasHint }: { readonly problem: string | null; readonly hasHint: boolean },
): HtmlValue {
  const describedBy = [...(problem === null ? [] : [`${id}-problem`]), ...(hasHint ? [`${id}-hint`] : [])];
  return [
    describedBy.length > 0 && html` aria-describedby="${describedBy.join(' ')}"`,
    problem !== null && html` aria-invalid="true" autofocus`,
  ];
}

/** Returns a checkbox with its label. */
export function checkbox(
  label: HtmlValue,
  {
    name,
    value = 'on',
    isChecked = false,
  }: { readonly name: string; readonly value?: string; readonly isChecked?: boolean },
): Html {
  return html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${isChecked && html` checked`}><span>${label}</span></label>`;
}
