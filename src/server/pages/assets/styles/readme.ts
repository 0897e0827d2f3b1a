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
.readme [align=center] { text-align: center; }
.readme [align=right] { text-align: right; }
.readme th, .readme td { padding: 0.375rem 0.75rem; border: 1px solid var(--line); }
.readme blockquote { margin: 0 0 1rem; padding: 0 1rem; border-left: 4px solid var(--line); color: var(--quiet); }
.readme img { max-width: 100%; vertical-align: middle; object-fit: contain; }
.readme img[width] { height: auto; }
.readme .anchor { color: var(--quiet); font-weight: 400; text-decoration: none; opacity: 0; }
.readme :is(h1, h2, h3, h4, h5, h6):hover .anchor, .readme .anchor:focus-visible { opacity: 1; }
@media (hover: none) { .readme .anchor { opacity: 1; } }
.readme .task { list-style: none; }
.readme .task input { margin: 0 0.375rem 0 -1.5rem; vertical-align: -0.15em; appearance: none; border: 1.5px solid var(--edge); border-radius: 4px; }
.readme .task input:checked { border-color: var(--accent); background: var(--accent); }
.readme .task input:checked::before { content: ''; display: block; width: 0.3rem; height: 0.6rem; margin: 0.05rem auto 0; border: solid var(--on-accent); border-width: 0 2px 2px 0; transform: rotate(45deg); }
@media (forced-colors: active) { .readme .task input { appearance: auto; } }
.readme .alert { --tone: var(--quiet); margin: 0 0 1rem; padding: 0.75rem 1rem; background: var(--raised); border: 1px solid var(--line); border-left: 4px solid var(--tone); border-radius: var(--radius-s); }
.readme .alert-tip { --tone: var(--good); background: var(--good-ground); border-color: var(--good-line); }
.readme .alert-important { --tone: var(--accent); background: var(--soft); border-color: var(--soft-line); }
.readme .alert-warning { --tone: var(--mark); background: var(--mark-ground); border-color: var(--mark-line); }
.readme .alert-caution { --tone: var(--bad); background: var(--bad-ground); border-color: var(--bad-line); }
.readme .alert[class] { border-left-color: var(--tone); }
.readme .alert > :last-child { margin-bottom: 0; }
.readme .alert-title { display: flex; align-items: center; gap: 0.5rem; margin-bottom: 0.375rem; font-weight: 600; color: var(--tone); }
.readme .alert-title .icon { color: inherit; }
.readme sup { line-height: 0; }
.readme .footnotes { margin-top: var(--gap-xl); padding-top: 1rem; border-top: 1px solid var(--line); font-size: var(--text-s); }
.readme .footnotes h2 { margin: 0 0 0.5rem; padding: 0; border: 0; font-size: var(--text-s); color: var(--quiet); }
.readme .footnotes li > p, .readme .footnotes li > :is(ul, ol) { margin-bottom: 0.375rem; }
.readme .footnotes li:target { background: var(--soft); border-radius: var(--radius-s); }
.readme .back { text-decoration: none; }
.readme ul, .readme ol { padding-left: 1.5rem; margin: 0 0 1rem; }
.readme hr { border: 0; border-top: 1px solid var(--line); margin: 1.5rem 0; }
.readme .image { display: inline-block; padding: 0 0.5rem; border: 1px dashed var(--edge); border-radius: var(--radius-s); font-size: var(--text-s); color: var(--quiet); }
.readme a.image, .readme a .image { color: var(--accent); }
`;
