/** Styles of the chart of downloads. Its colours have a contrast of at least 3 with the card (WCAG 2.2, 1.4.11). */
export const CHART_STYLES = `
:root { --s0: #1f5fbf; --s1: #c2410c; --s2: #0f766e; --s3: #9333ea; --s4: #a16207; --s5: #737b88; }
@media (prefers-color-scheme: dark) {
:root { --s0: #7cb0ff; --s1: #f98b5b; --s2: #3fc9b4; --s3: #c58bff; --s4: #e0b23c; --s5: #7f8998; }
}
.s0 { fill: var(--s0); } .s1 { fill: var(--s1); } .s2 { fill: var(--s2); } .s3 { fill: var(--s3); } .s4 { fill: var(--s4); } .s5 { fill: var(--s5); }
.downloads > h2 { margin-bottom: 0.25rem; }
.downloads > :last-child { margin-bottom: 0; }
.chart { margin: 0; padding: 1rem 1.25rem; }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; list-style: none; margin: 0 0 1rem; padding: 0; }
.legend li { display: flex; align-items: center; gap: 0.375rem; min-width: 0; overflow-wrap: anywhere; }
.legend svg { width: 0.75rem; height: 0.75rem; flex: none; border-radius: 2px; }
.plot { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.375rem 0.625rem; color: var(--quiet); font-variant-numeric: tabular-nums; }
.ticks { display: flex; flex-direction: column; justify-content: space-between; text-align: right; line-height: 1; margin: -0.5em 0; }
.bars { width: 100%; height: 12rem; overflow: visible; }
.bars .grid { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
.bars .day { fill: transparent; }
.bars .day:hover { fill: color-mix(in srgb, var(--ink) 12%, transparent); }
.dates { grid-column: 2; display: flex; justify-content: space-between; }
.chart details { margin-top: 1rem; }
.chart summary { width: fit-content; color: var(--accent); font-weight: 600; cursor: pointer; }
.chart .scroll { max-height: 20rem; overflow: auto; margin: 0.75rem 0; }
.chart tbody th { color: var(--ink); font-weight: 400; }
`;
