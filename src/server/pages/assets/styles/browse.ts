/** Styles of lists of crates, of links to their orders, and of the dialog with the keys. */
export const BROWSE_STYLES = `
.list-head { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; align-items: flex-end; justify-content: space-between; margin-bottom: 0.75rem; }
.list-head h1 { margin: 0; overflow-wrap: anywhere; }
.list-head h1 .icon { margin-right: 0.5rem; }
.list-head p { margin: 0.25rem 0 0; }
.list-head .find { flex: 1 1 16rem; margin: 0; }
form.find.labelled { align-items: center; flex-wrap: wrap; }
form.find.labelled input { flex-basis: 8rem; }
@media (max-width: 40rem) { form.find.labelled label { flex-basis: 100%; } }
.sorts { margin: 0 0 1rem; }
.sorts ul { display: flex; flex-wrap: wrap; gap: 0.375rem; margin: 0; padding: 0; list-style: none; }
.sorts a {
  display: block; padding: 0.25rem 0.75rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card);
  color: var(--ink); font-size: var(--text-s); text-decoration: none;
}
.sorts a:hover { border-color: var(--accent); }
.sorts a[aria-current] { border-color: var(--accent); background: var(--soft); color: var(--accent); font-weight: 600; }
ul.pills { display: flex; flex-wrap: wrap; gap: 0.5rem; list-style: none; margin: 0; padding: 0; }
ul.pills li { min-width: 0; }
ul.pills a { display: flex; gap: 0.5rem; align-items: center; padding: 0.375rem 0.875rem; background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); overflow-wrap: anywhere; text-decoration: none; }
ul.pills a:hover { border-color: var(--accent); }
ul.pills a > span { min-width: 0; }
details > ul.pills { margin-top: 0.75rem; }
.before { margin-bottom: var(--gap-xl); }
ul.categories { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.75rem; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); }
ul.categories li { position: relative; display: flex; gap: 1rem; justify-content: space-between; padding: 0.75rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); overflow-wrap: anywhere; }
ul.categories li:hover { border-color: var(--accent); }
ul.categories a::after { content: ''; position: absolute; inset: 0; }
.nowrap { white-space: nowrap; }
tr:target td { background: var(--soft); }
dialog.keys { max-width: min(28rem, calc(100vw - 2rem)); padding: 1.5rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--card); color: var(--ink); }
dialog.keys::backdrop { background: rgb(0 0 0 / 50%); }
dialog.keys h2 { margin: 0 0 0.75rem; }
dialog.keys h3 { margin: 1.25rem 0 0.5rem; font-size: 1rem; }
dialog.keys p { margin: 1rem 0; }
kbd { padding: 0.125rem 0.5rem; border: 1px solid var(--edge); border-radius: 4px; background: var(--raised); color: var(--ink); font: 0.875em var(--mono); }
`;
