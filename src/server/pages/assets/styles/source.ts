/** Styles of source code and of comparisons. */
export const SOURCE_STYLES = `
:root {
  --code-keyword: light-dark(#9b1c6b, #ff8fc7); --code-type: light-dark(#6439b0, #c7a8ff);
  --code-title: light-dark(#1a56ab, #8ab8ff); --code-string: light-dark(#0b6647, #86d9a5);
  --code-number: light-dark(#874700, #f0b26b); --code-comment: light-dark(#5a6474, #9aa5b5);
  --code-meta: light-dark(#67560a, #d8c46a); --code-marked: light-dark(#fff3c9, #3a3216);
  --code-text: 0.8125rem;
}
.columns:has(.wide) { grid-template-columns: minmax(0, 1fr); gap: 2rem; }
.columns:has(.wide) > .side { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr)); gap: 0 2rem; }
.columns:has(.wide) > .side section { border: 0; }
.source-head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem; margin-bottom: 1rem; }
.source-head h2 { margin: 0; }
.source-tools { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0 0 1rem; }
.source-facts { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
.source-facts .quiet { margin-right: 0.25rem; }
.source-tools form.find { flex: 1 1 16rem; max-width: 32rem; }
.source-count { font-size: var(--text-l); margin: 1.25rem 0 0.75rem; }
.trail ol { display: flex; flex-wrap: wrap; align-items: baseline; margin: 0; padding: 0; list-style: none; font: 0.9375rem/1.5 var(--mono); }
.trail li { overflow-wrap: anywhere; }
.trail li + li::before { content: '/'; margin: 0 0.375rem; color: var(--quiet); }
.trail h2 { display: inline; font: inherit; font-weight: 600; margin: 0; }
.picture { padding: 1.5rem; text-align: center; }
.picture p { margin: 0; }
.picture img { max-width: 100%; height: auto; vertical-align: middle; background: repeating-conic-gradient(light-dark(#e9ecf1, #2a303b) 0% 25%, light-dark(#fff, #1d222b) 0% 50%) 0 0 / 1rem 1rem; }

.tree-card { overflow: hidden; }
ul.tree, .tree ul { list-style: none; margin: 0; padding: 0; }
.tree .entry, .tree summary { display: flex; align-items: center; gap: 0.5rem; min-height: 2.5rem; padding: 0.25rem 1rem; }
.tree .entry > .icon, .tree summary > .icon { margin-left: calc(var(--depth, 0) * 1.25rem); }
.tree li { border-top: 1px solid var(--line); }
.tree > li:first-child { border-top: 0; }
.tree details > ul { --depth: 1; }
.tree details details > ul { --depth: 2; }
.tree details details details > ul { --depth: 3; }
.tree details details details details > ul { --depth: 4; }
.tree summary { cursor: pointer; list-style: none; }
.tree summary::-webkit-details-marker { display: none; }
.tree summary .path::after { content: '/'; color: var(--quiet); }
.tree summary:hover, .tree .entry:hover { background: var(--raised); }
.tree summary:focus-visible, .tree a:focus-visible { outline-offset: -3px; }
.tree a { text-decoration: none; }
.tree a:hover { text-decoration: underline; }
.tree details:not([open]) > summary .icon { color: var(--accent); }
.path { font: 0.875rem/1.5 var(--mono); overflow-wrap: anywhere; min-width: 0; letter-spacing: 0; }
.size { margin-left: auto; color: var(--quiet); font-size: var(--text-s); text-align: right; font-variant-numeric: tabular-nums; }
.tree .size, .diff-file .size { flex: none; max-width: 45%; }
.tree-note { padding: 0.75rem 1rem; margin: 0; border-top: 1px solid var(--line); }

.code { position: relative; overflow-x: auto; }
.code:focus-visible { outline-offset: -3px; }
pre.source { margin: 0; font: var(--code-text)/1.55 var(--mono); tab-size: 4; }
pre.source code { display: block; width: max-content; min-width: 100%; padding: 0.5rem 0; font: inherit; }
.row { display: block; padding-right: 1rem; background: var(--card); scroll-margin: 30vh 0; }
.row > a {
  display: inline-block; width: 4.25rem; padding-right: 1rem; margin-right: 0.25rem; text-align: right; text-decoration: none;
  color: var(--quiet); background: inherit; position: sticky; left: 0; user-select: none; -webkit-user-select: none;
}
.row > a:hover { color: var(--accent); text-decoration: underline; }
.row > a:focus-visible { outline-offset: -3px; }
.row:target, .row.marked { background: var(--code-marked); box-shadow: inset 3px 0 var(--mark); }
.row:target > a, .row.marked > a { color: var(--ink); box-shadow: inset 3px 0 var(--mark); }
.hl-keyword { color: var(--code-keyword); } .hl-type { color: var(--code-type); } .hl-title { color: var(--code-title); }
.hl-string { color: var(--code-string); } .hl-number { color: var(--code-number); } .hl-meta { color: var(--code-meta); }
.hl-comment { color: var(--code-comment); font-style: italic; } .hl-added { color: var(--good); } .hl-removed { color: var(--bad); }
.hl-strong { font-weight: 700; } .hl-emphasis { font-style: italic; }
.hidden-character { padding: 0 0.25em; border-radius: 3px; background: var(--bad-ground); color: var(--bad); border: 1px solid var(--bad); font-size: 0.9em; }

.compare-title { margin: 0 0 1rem; }
.compare-form { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; margin: 0 0 1.5rem; }
.compare-form .field { flex: 0 1 14rem; min-width: 8rem; }
.compare-facts, .compare-changes { overflow-x: auto; }
.compare-facts th, .compare-facts td { padding: 0.5rem 1rem; overflow-wrap: break-word; }
.compare-facts thead th { background: var(--raised); }
.compare-facts tbody tr:last-child > * { border-bottom: 0; }
.compare-facts tr:not(.changed) td { color: var(--quiet); }
.compare-facts tr.changed td { font-weight: 500; }
.switch { display: flex; gap: 0.375rem; }
.switch a[aria-current] { border-color: var(--accent); background: var(--soft); color: var(--accent); font-weight: 600; }
.added { color: var(--good); } .removed { color: var(--bad); }
.wide > .source-head:not(:first-child) { margin-top: var(--gap-xl); }
.diff-file { margin-top: 1rem; overflow: hidden; scroll-margin-top: 1rem; }
.diff-file > summary { display: flex; align-items: center; gap: 0.625rem; min-height: 2.75rem; padding: 0.375rem 1rem; cursor: pointer; background: var(--raised); list-style: none; }
.diff-file > summary::-webkit-details-marker { display: none; }
.diff-file > summary::before { content: '▸'; color: var(--quiet); }
.diff-file[open] > summary::before { content: '▾'; }
.diff-file > summary:focus-visible { outline-offset: -3px; }
.diff-file h3 { margin: 0; font-weight: 600; }
table.diff { font: var(--code-text)/1.55 var(--mono); tab-size: 4; }
.diff th, .diff td { padding: 0 0.5rem; border: 0; vertical-align: top; }
.diff th { height: 0; line-height: 0; }
.diff td.no { width: 1%; min-width: 3rem; text-align: right; color: var(--quiet); user-select: none; -webkit-user-select: none; }
.diff td.text { white-space: pre; padding-left: 0; }
.diff .sign { display: inline-block; width: 1.5em; text-align: center; }
.diff .hunk td { padding: 0.125rem 1rem; color: var(--quiet); background: var(--soft); }
.diff .plus, .diff .line.plus td { background: var(--good-ground); } .diff .minus, .diff .line.minus td { background: var(--bad-ground); }
.diff .plus .sign { color: var(--good); font-weight: 700; } .diff .minus .sign { color: var(--bad); font-weight: 700; }
table.side-by-side { table-layout: fixed; min-width: 44rem; }
.side-by-side th:nth-child(odd) { width: 3.5rem; }
.side-by-side td.text { white-space: pre-wrap; overflow-wrap: anywhere; padding-left: 1.5em; text-indent: -1.5em; }
.side-by-side .sign { text-indent: 0; }
.side-by-side td.none { background: var(--raised); }
.side-by-side td:nth-child(3) { border-left: 1px solid var(--line); }
@media (max-width: 44rem) {
  table.side-by-side { min-width: 0; display: block; }
  .side-by-side tbody { display: block; }
  .side-by-side thead, .side-by-side td.none, .side-by-side .same td:nth-child(-n + 2) { display: none; }
  .side-by-side tr { display: grid; grid-template-columns: 2.75rem minmax(0, 1fr); }
  .side-by-side td.no { width: auto; min-width: 0; }
  .side-by-side .hunk td { grid-column: 1 / -1; }
  .side-by-side td:nth-child(3) { border-left: 0; }
}
@media (max-width: 40rem) {
  .compare-facts { font-size: var(--text-s); }
  .compare-facts th, .compare-facts td { padding: 0.5rem 0.625rem; }
  .changes .entry { flex-wrap: wrap; }
  .row > a { width: 3rem; padding-right: 0.5rem; }
  .diff td.no { min-width: 2.25rem; padding: 0 0.25rem; }
}
`;
