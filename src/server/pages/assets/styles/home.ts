/** Styles of the start page. */
export const HOME_STYLES = `
.hero { padding: clamp(1.5rem, 3vw, 2.5rem) clamp(1rem, 5vw, 3rem); margin-bottom: var(--gap-xl); text-align: center; background: var(--soft); border: 1px solid var(--soft-line); border-radius: calc(1.5 * var(--radius)); }
.hero h1 { font-size: clamp(1.75rem, 1.2rem + 2.4vw, 2.75rem); margin-bottom: 1.25rem; }
.hero form.find { max-width: 44rem; margin: 0 auto; }
.hero input[type='search'] { min-height: 3rem; font-size: var(--text-l); box-shadow: var(--shadow); }
.hero button { min-height: 3rem; }
.hero .figures { justify-content: center; list-style: none; margin: 1.25rem 0 0; padding: 0; }
.hero .figures strong { color: var(--ink); font-variant-numeric: tabular-nums; }

.filters { margin-bottom: 1.25rem; }
.filters > summary { width: fit-content; padding: 0.25rem 0; cursor: pointer; color: var(--accent); font-weight: 500; }
.filters > form.filter { grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); margin: 0.5rem 0 0; padding: 1rem; }

.tops { display: grid; gap: var(--gap-l); grid-template-columns: minmax(0, 1fr); }
@media (min-width: 48rem) { .tops { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
.top { padding: 1.25rem; display: flex; flex-direction: column; }
.top h2 { display: flex; align-items: center; gap: 0.5rem; margin: 0 0 0.5rem; font-size: var(--text-l); }
.top h2 .icon { color: var(--accent); }
.top ol { list-style: none; margin: 0 0 1rem; padding: 0; }
.top li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 0.75rem; padding: 0.4375rem 0; border-bottom: 1px solid var(--line); }
.top li:last-child { border-bottom: 0; }
.top li a { font-weight: 600; overflow-wrap: anywhere; min-width: 0; text-decoration: none; }
.top li a:hover { text-decoration: underline; }
.top li .quiet { font-size: var(--text-s); }
.top .all { margin: auto 0 0; }

.below { display: grid; gap: var(--gap-l); grid-template-columns: minmax(0, 1fr); align-items: start; margin-top: var(--gap-xl); }
.below > section, .welcome { padding: clamp(1.25rem, 3vw, 1.75rem); }
.below h2:first-child, .welcome > :first-child { margin-top: 0; }
.welcome { margin-bottom: var(--gap-xl); }
.welcome > :last-child { margin-bottom: 0; }
ol.steps { list-style: none; counter-reset: step; margin: 0; padding: 0; display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 60rem) { .below ol.steps { grid-template-columns: minmax(0, 5fr) minmax(0, 4fr) minmax(0, 4fr); gap: 2rem; } .below .copy { flex-direction: column; } .below .copy button { border-left: 0; border-top: 1px solid var(--line); min-height: 2.25rem; } }
ol.steps > li { counter-increment: step; position: relative; padding-left: 2.5rem; min-width: 0; }
ol.steps > li::before {
  content: counter(step); position: absolute; left: 0; top: 0; width: 1.75rem; height: 1.75rem; border-radius: 50%;
  background: var(--soft); border: 1px solid var(--soft-line); color: var(--accent); font-weight: 700; text-align: center; line-height: 1.625rem;
}
ol.steps h3 { margin: 0 0 0.375rem; line-height: 1.75rem; }
ol.steps p { margin-bottom: 0.5rem; }
ol.steps .copy + p { margin-top: 0.75rem; }
`;
