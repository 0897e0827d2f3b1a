/** Styles of forms, buttons, copy boxes and links between parts of a list. */
export const CONTROL_STYLES = `
input, select, textarea, button, .button { font: inherit; }
input[type='text'], input[type='url'], input[type='search'], input[type='password'], input[type='number'], input[type='date'], select, textarea {
  width: 100%; min-height: 2.5rem; padding: 0.375rem 0.75rem; color: var(--ink); background: var(--card);
  border: 1px solid var(--edge); border-radius: var(--radius-s);
}
input:disabled, textarea:disabled { background: var(--raised); color: var(--quiet); border-color: var(--line); opacity: 1; }
textarea { display: block; resize: vertical; }
input[type='file'] { width: 100%; min-width: 0; padding: 0.25rem; border: 1px solid var(--edge); border-radius: var(--radius-s); background: var(--card); color: var(--ink); font-size: var(--text-s); }
input::file-selector-button { font: inherit; padding: 0.25rem 0.75rem; margin-right: 0.75rem; border: 1px solid var(--edge); border-radius: var(--radius-s); background: var(--raised); color: var(--ink); cursor: pointer; }
input::placeholder { color: var(--quiet); opacity: 1; }
input[type='checkbox'], input[type='radio'] { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); flex: none; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; gap: 0.5rem; min-height: 2.5rem; padding: 0.375rem 1.125rem;
  border: 1px solid var(--accent); border-radius: var(--radius-s); background: var(--accent); color: var(--on-accent);
  font-weight: 600; text-decoration: none; cursor: pointer; white-space: nowrap;
}
button .icon, .button .icon { color: inherit; }
button.plain, .button.plain { background: var(--card); color: var(--ink); border-color: var(--edge); font-weight: 500; }
button.danger, .button.danger { background: var(--card); color: var(--bad); border-color: var(--bad); }
button.slim, .button.slim { min-height: 2rem; padding: 0.125rem 0.75rem; font-size: var(--text-s); }
button:hover, .button:hover { filter: brightness(0.93); }
button.plain:hover, .button.plain:hover { background: var(--raised); filter: none; }
button.danger:hover, .button.danger:hover { background: var(--bad-ground); filter: none; }

form.find { display: flex; gap: 0.5rem; margin: 0; }
form.find input { flex: 1; min-width: 0; }
form.stack { max-width: 32rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
section > form.stack { max-width: 36rem; padding: clamp(1rem, 3vw, 1.5rem); background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); }
.split { display: grid; gap: 0 var(--gap-xl); grid-template-columns: minmax(0, 1fr); align-items: start; }
@media (min-width: 60rem) { .split { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
form.filter { display: grid; gap: 0.75rem 1rem; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); align-items: end; margin-bottom: 1.25rem; }
form.filter:has(.problem) { align-items: start; }
form.filter:has(.problem) .acts-row { padding-top: 1.8rem; }
form.filter button { justify-self: start; }
form.inline { display: inline; margin: 0; }
.find.narrow { max-width: 28rem; margin-bottom: 1rem; }
label { overflow-wrap: anywhere; }
.field > label, .field > .label { display: block; margin-bottom: 0.25rem; font-weight: 600; }
fieldset .problem { margin-top: 0.5rem; }
.field .hint, fieldset .hint { margin: 0.25rem 0 0; color: var(--quiet); font-size: var(--text-s); }
.problem { margin: 0.25rem 0 0; color: var(--bad); font-size: var(--text-s); font-weight: 600; }
[aria-invalid='true']:not(fieldset) { border-color: var(--bad); }
.field.pair { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); }
fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; margin-bottom: 0.25rem; font-weight: 600; }
.checks { display: grid; gap: 0.5rem; }
.check { display: flex; gap: 0.625rem; align-items: center; min-height: 1.75rem; }

.copy { display: flex; align-items: stretch; border: 1px solid var(--line); border-radius: var(--radius-s); background: var(--raised); overflow: hidden; }
.copy code { flex: 1; min-width: 0; padding: 0.625rem 0.75rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.8125rem; }
.copy button {
  border: 0; border-left: 1px solid var(--line); border-radius: 0; background: none; color: var(--accent);
  font-size: var(--text-s); min-height: 2.5rem; padding: 0.375rem 0.75rem;
}
.copy button:hover { background: var(--soft); filter: none; }
.copy code:focus-visible, .copy button:focus-visible { outline-offset: -3px; }
.pager { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin-top: 1.5rem; }
`;
