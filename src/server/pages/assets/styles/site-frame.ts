/** Styles of the header and footer of every page, and of pages with little content. */
export const SITE_FRAME_STYLES = `
header.site { border-bottom: 1px solid var(--line); background: var(--card); }
header.site .wrap {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.5rem; min-height: 4rem;
  padding-top: 0.625rem; padding-bottom: 0.625rem;
}
.brand {
  display: inline-flex; align-items: center; gap: 0.625rem; min-width: 0; max-width: 100%;
  font-weight: 700; font-size: var(--text-l); letter-spacing: -0.01em; color: var(--ink); text-decoration: none;
}
.brand:hover span { text-decoration: underline; }
.brand span { overflow-wrap: anywhere; }
.brand img { height: 2rem; max-width: 10rem; object-fit: contain; flex: none; }
header.site form.find { flex: 1 1 14rem; max-width: 30rem; }
header.site nav { margin-left: auto; }
header.site nav ul {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.25rem; margin: 0; padding: 0; list-style: none;
}
header.site nav a, header.site .as-link { color: var(--ink); text-decoration: none; font-weight: 500; }
header.site nav a { display: inline-flex; align-items: center; gap: 0.375rem; padding: 0.25rem 0; }
header.site nav a:hover, header.site .as-link:hover { color: var(--accent); text-decoration: underline; }
header.site nav li { display: flex; align-items: center; min-height: 2rem; }
header.site nav form { margin: 0; display: flex; }
.as-link {
  border: 0; padding: 0; background: none; color: var(--accent); font: inherit; text-decoration: underline;
  text-underline-offset: 0.2em; cursor: pointer; min-height: 0;
}
main.wrap { flex: 1; padding-top: var(--gap-l); padding-bottom: 4rem; }
main:focus { outline: none; }
footer.site { border-top: 1px solid var(--line); background: var(--card); color: var(--quiet); font-size: var(--text-s); }
footer.site .wrap { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; justify-content: space-between; padding-top: 1.25rem; padding-bottom: 1.25rem; }
footer.site .wrap > span { min-width: 0; overflow-wrap: anywhere; }
footer.site ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin: 0; padding: 0; list-style: none; }
footer.site a, footer.site .as-link { color: var(--quiet); }
footer.site a:hover, footer.site .as-link:hover { color: var(--accent); }

.narrow-page { max-width: 27rem; margin: clamp(1rem, 6vh, 4rem) auto 0; padding: clamp(1.25rem, 5vw, 2.25rem); }
.narrow-page h1 { margin-bottom: 1.25rem; }
.narrow-page button { width: 100%; }
.narrow-page > :last-child { margin-bottom: 0; }
.message { max-width: 40rem; margin: clamp(1rem, 8vh, 5rem) auto 0; text-align: center; }
.message .status { margin: 0; color: var(--accent); font: 700 clamp(3rem, 12vw, 5rem)/1.1 var(--mono); }
.message .status .silent + span { letter-spacing: 0.02em; }
.message form.find { max-width: 28rem; margin: 1.5rem auto; text-align: left; }
@media (max-width: 40rem) {
  header.site .wrap { gap: 0.625rem 1rem; }
  header.site form.find { order: 3; flex-basis: 100%; max-width: none; }
}
`;
