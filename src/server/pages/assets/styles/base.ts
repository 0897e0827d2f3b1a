/** Styles of text and of the page as a whole, and the scales of type and space that all others use. */
export const BASE_STYLES = `
:root {
  --text-s: 0.875rem; --text-l: 1.125rem; --text-xl: 1.375rem; --text-2xl: clamp(1.625rem, 1.3rem + 1.2vw, 2.125rem);
  --gap-s: 0.5rem; --gap: 1rem; --gap-l: 1.5rem; --gap-xl: 2.5rem;
  --radius: 10px; --radius-s: 6px;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif;
  overflow-wrap: break-word;
}
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; letter-spacing: -0.01em; }
h1 { font-size: var(--text-2xl); margin: 0 0 var(--gap-s); }
h2 { font-size: var(--text-xl); margin: var(--gap-xl) 0 0.75rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 var(--gap-s); }
p { margin: 0 0 1rem; }
code, pre, .mono { font-family: var(--mono); font-size: 0.875em; }
.quiet { color: var(--quiet); }
.small { font-size: var(--text-s); }
.icon {
  width: 1.125em; height: 1.125em; flex: none; vertical-align: -0.2em; color: var(--quiet);
  fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round;
}
.wrap { width: 100%; max-width: 77rem; margin: 0 auto; padding: 0 1rem; }
@media (min-width: 48rem) { .wrap { padding: 0 var(--gap-l); } }
.card { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); }
.skip {
  position: absolute; left: 0.5rem; top: -4rem; z-index: 1; padding: 0.5rem 1rem;
  background: var(--accent); color: var(--on-accent); border-radius: var(--radius);
}
.skip:focus { top: 0.5rem; }
.silent {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}
.after { margin-top: 1rem; }
@media (prefers-reduced-motion: no-preference) { .skip { transition: top 0.1s; } }
@media print { header.site, footer.site, .tabs, .skip { display: none; } }
`;
