/** Styles of the pages of a crate: heading, install box, tabs, side column. */
export const CRATE_STYLES = `
.crate-head { display: grid; gap: 1.25rem var(--gap-xl); grid-template-columns: minmax(0, 1fr); align-items: start; margin-bottom: 1.5rem; }
.crate-head > * { min-width: 0; }
.crate-head h1 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.75rem; margin-bottom: 0.375rem; }
.crate-head h1 .version { font: 400 var(--text-xl)/1.25 var(--mono); letter-spacing: 0; color: var(--quiet); }
.crate-head p { max-width: 48rem; margin-bottom: 0.875rem; font-size: var(--text-l); overflow-wrap: anywhere; }
.crate-head .chips + .tags { margin-top: 0.875rem; }

.install { padding: 0.875rem 1rem 1rem; }
.install legend { float: left; width: 100%; font-size: var(--text-s); color: var(--quiet); margin-bottom: 0.5rem; }
.install legend + * { clear: both; }
.install > label { display: inline-block; padding: 0.25rem 0.4375rem; margin: 0 0 0.625rem; border: 1px solid transparent; border-radius: var(--radius-s); font-size: var(--text-s); font-weight: 500; cursor: pointer; }
.install > label:hover { background: var(--raised); }
.install > input:checked + label { background: var(--soft); border-color: var(--soft-line); color: var(--accent); font-weight: 600; }
.install > input:focus-visible + label { outline: 3px solid var(--accent); outline-offset: 2px; }
.install > div { display: none; }
.install .copy { flex-direction: column; }
.install .copy button { border-left: 0; border-top: 1px solid var(--line); min-height: 2.25rem; }
#install-add:checked ~ .add, #install-toml:checked ~ .toml, #install-tsreg:checked ~ .tsreg, #install-config:checked ~ .config { display: block; }
.install > div > p { margin: 0 0 0.25rem; font-size: var(--text-s); }
.install > div > .copy + p { margin-top: 0.75rem; }
.install .config .copy + p { margin: 0.5rem 0 0; font-size: var(--text-s); }
.crate-head p.origin { margin: 0.875rem 0 0; font-size: 1rem; }
section.mirrored { margin-top: 2rem; }

.tabs { border-bottom: 1px solid var(--line); margin-bottom: 1.75rem; }
.tabs ul { display: flex; overflow-x: auto; scrollbar-width: thin; gap: 0 0.25rem; margin: 0; padding: 0; list-style: none; }
.tabs a { display: block; padding: 0.625rem 0.875rem; color: var(--ink); text-decoration: none; border-bottom: 3px solid transparent; white-space: nowrap; }
.tabs a:focus-visible { outline-offset: -3px; }
.tabs a:hover { border-bottom-color: var(--edge); }
.tabs a[aria-current] { border-bottom-color: var(--accent); color: var(--accent); font-weight: 600; }
.tabs a .quiet { padding: 0 0.4375rem; border-radius: 1rem; background: var(--raised); font-size: 0.8125rem; font-weight: 400; }

.columns { display: grid; gap: 2rem; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 60rem) {
  .crate-head.installable, .columns { grid-template-columns: minmax(0, 1fr) 22rem; gap: 0 var(--gap-xl); }
}
.columns > div > :first-child, .columns > div > :first-child > h2:first-child { margin-top: 0; }
.side { font-size: 0.9375rem; align-self: start; padding: 0.25rem 1.25rem; }
.side section { padding: 1rem 0; border-bottom: 1px solid var(--line); }
.side section:last-child { border-bottom: 0; }
.side h2 { font-size: var(--text-s); font-weight: 600; color: var(--quiet); margin: 0 0 0.5rem; letter-spacing: 0; }
.side section > :last-child { margin-bottom: 0; }
.side ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.4375rem; grid-template-columns: minmax(0, 1fr); }
.side ul.lines > li { display: grid; grid-template-columns: 1.125em minmax(0, 1fr); gap: 0 0.625rem; overflow-wrap: anywhere; }
.side ul.lines .icon { margin-top: 0.2em; }
.side li { overflow-wrap: anywhere; }
@media (max-width: 40rem) { .tabs a { padding: 0.5rem 0.625rem; } }
`;
