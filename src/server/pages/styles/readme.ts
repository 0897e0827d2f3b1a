/** Styles of rendered Markdown. */
export const README_STYLES = `
.readme { overflow-wrap: anywhere; line-height: 1.65; }
.readme > :first-child { margin-top: 0; }
.readme h1 { font-size: 1.625rem; margin: 1.75rem 0 0.75rem; }
.readme h2 { padding-bottom: 0.25rem; border-bottom: 1px solid var(--line); }
.readme pre { padding: 0.875rem 1rem; overflow-x: auto; background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius-s); overflow-wrap: normal; margin: 0 0 1rem; line-height: 1.5; }
.readme code { background: var(--raised); padding: 0.1em 0.3em; border-radius: 4px; }
.readme pre code { padding: 0; background: none; }
.readme table { margin: 0 0 1rem; display: block; overflow-x: auto; width: max-content; max-width: 100%; overflow-wrap: normal; }
.readme th, .readme td { padding: 0.375rem 0.75rem; border: 1px solid var(--line); }
.readme blockquote { margin: 0 0 1rem; padding: 0 1rem; border-left: 4px solid var(--line); color: var(--quiet); }
.readme ul, .readme ol { padding-left: 1.5rem; margin: 0 0 1rem; }
.readme hr { border: 0; border-top: 1px solid var(--line); margin: 1.5rem 0; }
.readme .image { display: inline-block; padding: 0 0.5rem; border: 1px dashed var(--edge); border-radius: var(--radius-s); font-size: var(--text-s); color: var(--quiet); }
.readme a.image, .readme a .image { color: var(--accent); }
`;
