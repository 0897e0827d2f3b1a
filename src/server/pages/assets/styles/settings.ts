/** Styles of the settings of a crate: rows with a form at their end. */
export const SETTINGS_STYLES = `
.settings section + section { margin-top: var(--gap-xl); }
.settings h3 { font-size: var(--text-xl); margin: 0 0 0.5rem; }
.settings h4 { font-size: var(--text-l); margin: var(--gap-l) 0 0.5rem; }
.rows { list-style: none; margin: 0 0 1rem; padding: 0; }
.rows > li { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: flex-start; justify-content: space-between; padding: 0.75rem 1.125rem; border-top: 1px solid var(--line); }
.rows > li:first-child { border-top: 0; }
.rows .name { flex: 1 1 14rem; min-width: 0; overflow-wrap: anywhere; padding-top: 0.125rem; }
.documented { display: flex; flex-wrap: wrap; flex: 1 1 100%; gap: 0.5rem 1rem; align-items: flex-start; justify-content: space-between; }
.act > summary {
  display: inline-flex; align-items: center; min-height: 2rem; padding: 0.125rem 0.75rem; border: 1px solid var(--bad);
  border-radius: var(--radius-s); color: var(--bad); font-size: var(--text-s); font-weight: 600; cursor: pointer; list-style: none;
}
.act > summary::-webkit-details-marker { display: none; }
.act > summary:hover { background: var(--bad-ground); }
.act[open] { flex: 1 1 100%; }
.act[open] > summary { border-color: var(--edge); color: var(--ink); }
.confirm { display: grid; gap: 0.75rem; justify-items: start; max-width: 32rem; margin-top: 0.75rem; }
.confirm p { margin: 0; }
.confirm .field { width: 100%; }
.row-form { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; }
.row-form .field { flex: 1 1 14rem; max-width: 24rem; }
.logo-row { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.75rem; align-items: center; }
.logo-row img { height: 2.5rem; max-width: 8rem; object-fit: contain; }
.logo-field { display: grid; gap: 0.5rem; }
.setting { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; justify-content: space-between; }
.setting p { margin: 0; }
.new-publisher > summary { width: fit-content; padding: 0.25rem 0; color: var(--accent); font-weight: 600; cursor: pointer; }
.new-publisher > form { max-width: 36rem; margin-top: 0.75rem; padding: clamp(1rem, 3vw, 1.5rem); background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); }
`;
