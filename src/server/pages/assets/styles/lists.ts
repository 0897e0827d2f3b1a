/** Styles of lists, tables, tags, chips, notes and empty states. */
export const LIST_STYLES = `
ul.crates { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.75rem; grid-template-columns: minmax(0, 1fr); }
ul.crates > li { position: relative; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); }
ul.crates > li:hover { border-color: var(--accent); }
ul.crates h3 { margin: 0; font-size: var(--text-l); display: flex; flex-wrap: wrap; gap: 0 0.625rem; align-items: baseline; }
ul.crates h3 .quiet { font-weight: 400; font-size: var(--text-s); font-family: var(--mono); letter-spacing: 0; }
ul.crates p { margin: 0.25rem 0 0; }
.clamp { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere; }
.figures { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }

.tags { display: flex; flex-wrap: wrap; gap: 0.375rem 0.75rem; list-style: none; margin: 0; padding: 0; }
.tags > *, .chips > * { overflow-wrap: anywhere; min-width: 0; }
.chips { display: flex; flex-wrap: wrap; gap: 0.5rem; list-style: none; margin: 0; padding: 0; }
.chip, .badge {
  display: inline-flex; align-items: center; gap: 0.375rem; padding: 0.125rem 0.625rem; border-radius: 1rem;
  border: 1px solid var(--line); background: var(--raised); color: var(--quiet); font-size: 0.8125rem; font-weight: 500;
}
.badge { padding: 0 0.5rem; font-weight: 400; white-space: nowrap; }
.chip .icon { width: 1em; height: 1em; color: inherit; }
.chips > li:not(.chip) { display: flex; }
a.chip { color: var(--accent); background: var(--soft); border-color: var(--soft-line); font-weight: 600; text-decoration: none; }
a.chip:hover { border-color: var(--accent); text-decoration: underline; }
.badge.bad, .chip.bad { color: var(--bad); background: var(--bad-ground); border-color: var(--bad-line); }
.badge.good, .chip.good { color: var(--good); background: var(--good-ground); border-color: var(--good-line); }
.badge.mark, .chip.mark { color: var(--mark); background: var(--mark-ground); border-color: var(--mark-line); }

.note { padding: 0.875rem 1.125rem; border: 1px solid var(--line); border-left-width: 4px; border-radius: var(--radius); margin: 0 0 1.25rem; overflow-wrap: anywhere; }
.note > :last-child { margin-bottom: 0; }
.note.bad { color: var(--bad); background: var(--bad-ground); border-color: var(--bad); }
.note.good { color: var(--good); background: var(--good-ground); border-color: var(--good); }
.note.mark { color: var(--mark); background: var(--mark-ground); border-color: var(--mark); }
.note.bad a, .note.good a, .note.mark a { color: inherit; }
.note.advisories h2 { margin: 0 0 0.5rem; font-size: 1rem; color: inherit; }
.note.advisories ul { margin: 0; padding: 0; list-style: none; }
.note.advisories li + li { margin-top: 0.75rem; }
.note.advisories li p { margin: 0; }
.note .copy { color: var(--ink); margin-top: 0.5rem; }
.empty { padding: clamp(1.5rem, 5vw, 3rem) 1.25rem; border: 1px dashed var(--edge); border-radius: var(--radius); text-align: center; }
.empty .icon { width: 2.5rem; height: 2.5rem; stroke-width: 1.5; color: var(--accent); }
.empty h2 { margin: 0.5rem 0; }
.empty > :last-child { margin-bottom: 0; }

dl.totals { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); margin: 0; }
dl.totals > div { padding: 1rem 1.25rem; }
dl.totals dt { color: var(--quiet); font-size: var(--text-s); }
dl.totals dd { margin: 0; font-size: var(--text-xl); font-weight: 700; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
dl.totals .hint { display: block; color: var(--quiet); font-size: var(--text-s); font-weight: 400; }
dl.facts.card { padding: 1rem 1.25rem; }
dl.facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.375rem 1rem; margin: 0; }
dl.facts dt { color: var(--quiet); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.625rem 1rem 0.625rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; font-size: var(--text-s); color: var(--quiet); white-space: nowrap; }
th:last-child, td:last-child { padding-right: 0; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.name { overflow-wrap: anywhere; min-width: 8rem; }
td.acts { text-align: right; white-space: nowrap; }
td time, td.words { white-space: nowrap; }
.acts-row { display: flex; flex-wrap: wrap; gap: 0.5rem; justify-content: inherit; }
td.acts .acts-row { justify-content: flex-end; }
@media (min-width: 40.01rem) {
  table.cards { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); border-collapse: separate; border-spacing: 0; box-shadow: var(--shadow); }
  .cards th { background: var(--raised); }
  .cards th:first-child { border-top-left-radius: calc(var(--radius) - 1px); }
  .cards th:last-child { border-top-right-radius: calc(var(--radius) - 1px); }
  .cards th:first-child, .cards td:first-child { padding-left: 1.125rem; }
  .cards th:last-child, .cards td:last-child { padding-right: 1.125rem; }
  .cards tbody tr:last-child td { border-bottom: 0; }
  table.deps { table-layout: fixed; }
  .deps th:nth-child(1) { width: 32%; }
  .deps th:nth-child(2) { width: 25%; }
  .deps code { overflow-wrap: anywhere; }
}
@media (max-width: 40rem) {
  table.cards, .cards tbody, .cards tr, .cards td { display: block; }
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards tr { padding: 0.75rem 1rem; margin-bottom: 0.75rem; background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); }
  .cards td { padding: 0.125rem 0; border: 0; text-align: left; }
  .cards td.number, .cards td.acts { text-align: left; white-space: normal; }
  .cards td[data-label]::before { content: attr(data-label) ': '; color: var(--quiet); }
  .cards td:empty { display: none; }
  .cards td.acts { padding-top: 0.5rem; }
  td.acts .acts-row { justify-content: flex-start; }
}
`;
