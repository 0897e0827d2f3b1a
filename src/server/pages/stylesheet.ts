/** The stylesheet of all pages. */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --ground: #ffffff;
  --raised: #f5f6f8;
  --line: #d5d9e0;
  --ink: #1b1f27;
  --quiet: #57606e;
  --link: #1a55b8;
  --accent: #1a55b8;
  --on-accent: #ffffff;
  --bad: #b3261e;
  --bad-ground: #fdecea;
  --good: #1c6b34;
  --good-ground: #e8f5ec;
  --mark: #8a5a00;
  --mark-ground: #fff4de;
  --radius: 8px;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171c;
    --raised: #1d2128;
    --line: #363c47;
    --ink: #e6e9ee;
    --quiet: #a4adba;
    --link: #8ab4f8;
    --accent: #8ab4f8;
    --on-accent: #10151d;
    --bad: #ff9d94;
    --bad-ground: #3a1d1b;
    --good: #8fd6a4;
    --good-ground: #17301f;
    --mark: #f2c46d;
    --mark-ground: #352a12;
  }
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif;
  overflow-wrap: break-word;
}
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; margin: 0 0 0.5rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 0.75rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 0.5rem; }
p { margin: 0 0 1rem; }
code, pre, .mono { font-family: var(--mono); font-size: 0.9em; }
.quiet { color: var(--quiet); }
.small { font-size: 0.875rem; }
.wrap { width: 100%; max-width: 68rem; margin: 0 auto; padding: 0 1rem; }
.skip {
  position: absolute; left: 0.5rem; top: -4rem; z-index: 1; padding: 0.5rem 1rem;
  background: var(--accent); color: var(--on-accent); border-radius: var(--radius);
}
.skip:focus { top: 0.5rem; }
.silent {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}

header.site { border-bottom: 1px solid var(--line); background: var(--raised); }
header.site .wrap {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1rem; min-height: 3.5rem;
  padding-top: 0.5rem; padding-bottom: 0.5rem;
}
.brand { font-weight: 700; font-size: 1.125rem; color: var(--ink); text-decoration: none; }
header.site form.find { flex: 1 1 14rem; max-width: 26rem; }
header.site nav { margin-left: auto; }
header.site nav ul {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1rem; margin: 0; padding: 0; list-style: none;
}
header.site nav form { margin: 0; }
.as-link {
  border: 0; padding: 0; background: none; color: var(--link); font: inherit; text-decoration: underline;
  text-underline-offset: 0.15em; cursor: pointer; min-height: 0;
}
main.wrap { flex: 1; padding-top: 1.5rem; padding-bottom: 3rem; }
main:focus { outline: none; }
footer.site { border-top: 1px solid var(--line); color: var(--quiet); font-size: 0.875rem; }
footer.site .wrap { padding-top: 1rem; padding-bottom: 1rem; }

input, select, textarea, button, .button { font: inherit; }
input[type='text'], input[type='url'], input[type='search'], input[type='password'], input[type='number'], select, textarea {
  width: 100%; min-height: 2.5rem; padding: 0.375rem 0.75rem; color: var(--ink); background: var(--ground);
  border: 1px solid var(--quiet); border-radius: var(--radius);
}
input[type='checkbox'] { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); flex: none; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.5rem; padding: 0.375rem 1rem;
  border: 1px solid var(--accent); border-radius: var(--radius); background: var(--accent); color: var(--on-accent);
  font-weight: 600; text-decoration: none; cursor: pointer; white-space: nowrap;
}
button.plain, .button.plain { background: var(--ground); color: var(--ink); border-color: var(--quiet); font-weight: 400; }
button.danger, .button.danger { background: var(--ground); color: var(--bad); border-color: var(--bad); }
button.slim, .button.slim { min-height: 2rem; padding: 0.125rem 0.75rem; font-size: 0.875rem; }
button:hover, .button:hover { filter: brightness(1.08); }
form.find { display: flex; gap: 0.5rem; margin: 0; }
form.find input { flex: 1; min-width: 0; }
form.stack { max-width: 30rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
label { overflow-wrap: anywhere; }
.find.narrow { max-width: 26rem; margin-bottom: 1rem; }
form.filter { display: grid; gap: 0.75rem 1rem; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); align-items: end; margin-bottom: 1.25rem; }
form.filter button { justify-self: start; }
.after { margin-top: 1rem; }
form.inline { display: inline; margin: 0; }
.field > label, .field > .label { display: block; margin-bottom: 0.25rem; font-weight: 600; }
.field .hint { margin: 0.25rem 0 0; color: var(--quiet); font-size: 0.875rem; }
.field.pair { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); }
fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; margin-bottom: 0.25rem; font-weight: 600; }
.checks { display: grid; gap: 0.5rem; }
.check { display: flex; gap: 0.625rem; align-items: center; min-height: 1.75rem; }

.hero { margin: 1rem 0 1.5rem; }
.hero form.find { max-width: 42rem; }
.hero input[type='search'] { min-height: 3rem; font-size: 1.125rem; }
.hero button { min-height: 3rem; }
ul.crates { list-style: none; margin: 0; padding: 0; }
ul.crates > li { padding: 0.875rem 0; border-top: 1px solid var(--line); }
ul.crates > li:last-child { border-bottom: 1px solid var(--line); }
ul.crates h3 { margin: 0; font-size: 1.0625rem; display: flex; flex-wrap: wrap; gap: 0 0.625rem; align-items: baseline; }
ul.crates h3 .quiet { font-weight: 400; font-size: 0.9375rem; }
ul.crates p { margin: 0.125rem 0 0; }
.clamp { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere; }
.pager { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin-top: 1.5rem; }

.crate-head { margin-bottom: 1.25rem; }
.crate-head h1 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.75rem; }
.crate-head h1 .version { font-weight: 400; font-size: 1.25rem; color: var(--quiet); }
.crate-head p { max-width: 48rem; margin-bottom: 0.5rem; overflow-wrap: anywhere; }
.tags > * { overflow-wrap: anywhere; min-width: 0; }
.tags { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; list-style: none; margin: 0; padding: 0; }
.tabs { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; }
.tabs ul { display: flex; overflow-x: auto; scrollbar-width: thin; gap: 0 0.25rem; margin: 0; padding: 0; list-style: none; }
.tabs a {
  display: block; padding: 0.5rem 0.75rem; color: var(--ink); text-decoration: none;
  border-bottom: 3px solid transparent; white-space: nowrap;
}
.tabs a:focus-visible { outline-offset: -3px; }
.tabs a:hover { border-bottom-color: var(--line); }
.tabs a[aria-current] { border-bottom-color: var(--accent); font-weight: 600; }
.columns { display: grid; gap: 2rem; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 56rem) { .columns { grid-template-columns: minmax(0, 1fr) 19rem; gap: 3rem; } }
.side h2 { font-size: 1rem; margin: 1.5rem 0 0.375rem; }
.side > :first-child { margin-top: 0; }
.side ul { list-style: none; margin: 0; padding: 0; }
.side li { overflow-wrap: anywhere; }
dl.facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.25rem 1rem; margin: 0; }
dl.facts dt { color: var(--quiet); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }

.copy { display: flex; align-items: stretch; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised); overflow: hidden; }
.copy code { flex: 1; min-width: 0; padding: 0.5rem 0.75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.copy button { border: 0; border-left: 1px solid var(--line); border-radius: 0; background: none; color: var(--link); font-weight: 400; min-height: 2.5rem; }
.copy button:focus-visible { outline-offset: -3px; }

.badge {
  display: inline-block; padding: 0 0.5rem; border-radius: 1rem; border: 1px solid var(--line);
  background: var(--raised); color: var(--quiet); font-size: 0.8125rem; font-weight: 400; white-space: nowrap;
}
.badge.bad { color: var(--bad); background: var(--bad-ground); border-color: var(--bad); }
.badge.good { color: var(--good); background: var(--good-ground); border-color: var(--good); }
.badge.mark { color: var(--mark); background: var(--mark-ground); border-color: var(--mark); }
.note { padding: 0.75rem 1rem; border: 1px solid var(--line); border-left-width: 4px; border-radius: var(--radius); margin: 0 0 1.25rem; overflow-wrap: anywhere; }
.note > :last-child { margin-bottom: 0; }
.note.bad { color: var(--bad); background: var(--bad-ground); border-color: var(--bad); }
.note.good { color: var(--good); background: var(--good-ground); border-color: var(--good); }
.note.mark { color: var(--mark); background: var(--mark-ground); border-color: var(--mark); }
.note .copy { color: var(--ink); margin-top: 0.5rem; }

.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 1rem 0.5rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; white-space: nowrap; }
th:last-child, td:last-child { padding-right: 0; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.name { overflow-wrap: anywhere; min-width: 8rem; }
td.acts { text-align: right; white-space: nowrap; }
td time, td.words { white-space: nowrap; }
@media (min-width: 40.01rem) { table.deps { table-layout: fixed; } .deps th:nth-child(1) { width: 32%; } .deps th:nth-child(2) { width: 25%; } .deps code { overflow-wrap: anywhere; } }
@media (max-width: 40rem) {
  table.cards, .cards tbody, .cards tr, .cards td { display: block; }
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards tr { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  .cards td { padding: 0.125rem 0; border: 0; text-align: left; }
  .cards td.number, .cards td.acts { text-align: left; white-space: normal; }
  .cards td[data-label]::before { content: attr(data-label) ': '; color: var(--quiet); }
  .cards td:empty { display: none; }
  .cards td.acts { padding-top: 0.5rem; }
}
.acts-row { display: flex; flex-wrap: wrap; gap: 0.5rem; justify-content: inherit; }
td.acts .acts-row { justify-content: flex-end; }
@media (max-width: 40rem) { td.acts .acts-row { justify-content: flex-start; } }

.readme { overflow-wrap: anywhere; }
.readme > :first-child { margin-top: 0; }
.readme h1 { font-size: 1.5rem; margin: 1.75rem 0 0.75rem; }
.readme h2 { padding-bottom: 0.25rem; border-bottom: 1px solid var(--line); }
.readme pre { padding: 0.75rem 1rem; overflow-x: auto; background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); overflow-wrap: normal; margin: 0 0 1rem; }
.readme code { background: var(--raised); padding: 0.1em 0.3em; border-radius: 4px; }
.readme pre code { padding: 0; background: none; }
.readme table { margin: 0 0 1rem; display: block; overflow-x: auto; width: max-content; max-width: 100%; overflow-wrap: normal; }
.readme th, .readme td { padding: 0.375rem 0.75rem; border: 1px solid var(--line); }
.readme blockquote { margin: 0 0 1rem; padding: 0 1rem; border-left: 4px solid var(--line); color: var(--quiet); }
.readme ul, .readme ol { padding-left: 1.5rem; margin: 0 0 1rem; }
.readme hr { border: 0; border-top: 1px solid var(--line); margin: 1.5rem 0; }
.readme .image { display: inline-block; padding: 0 0.5rem; border: 1px dashed var(--line); border-radius: var(--radius); font-size: 0.875rem; color: var(--quiet); }
.readme a.image, .readme a .image { color: var(--link); }
@media (max-width: 40rem) {
  h1 { font-size: 1.5rem; }
  header.site form.find { order: 3; flex-basis: 100%; max-width: none; }
  .tabs a { padding: 0.5rem; }
}
@media (prefers-reduced-motion: no-preference) { .skip { transition: top 0.1s; } }
@media print { header.site, footer.site, .tabs, .skip { display: none; } }
`;
