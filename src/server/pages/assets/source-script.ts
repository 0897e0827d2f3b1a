/**
 * The script of pages with code: marks the lines that the address names (`#L10-L20`), lets a click with Shift select
 * them, and makes all line numbers one stop of the Tab key. Keep it in step with `numberedLines`.
 */
export const SOURCE_SCRIPT = `
(() => {
  const source = document.querySelector('pre.source');
  if (source === null) return;
  const links = [...source.querySelectorAll('.row > a')];

  const rangeIn = (hash) => {
    const [, first, last = first] = /^#L(\\d{1,6})(?:-L(\\d{1,6}))?$/.exec(hash) ?? [];
    return first === undefined ? null : [Number(first), Number(last)].sort((a, b) => a - b);
  };
  const mark = () => {
    for (const row of source.querySelectorAll('.row.marked')) row.classList.remove('marked');
    const range = rangeIn(location.hash);
    if (range === null) return;
    const marked = links.slice(Math.max(range[0] - 1, 0), range[1]);
    for (const link of marked) link.parentElement.classList.add('marked');
    // Browsers find no element for a range.
    if (location.hash.includes('-')) marked[0]?.scrollIntoView({ block: 'center', inline: 'nearest' });
  };
  addEventListener('hashchange', mark);
  mark();

  source.addEventListener('click', (event) => {
    const link = event.target.closest('.row > a');
    const start = rangeIn(location.hash)?.[0];
    if (link === null || !event.shiftKey || start === undefined) return;
    event.preventDefault();
    const [first, last] = [start, links.indexOf(link) + 1].sort((a, b) => a - b);
    location.hash = 'L' + first + '-L' + last;
  });

  const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 };
  for (const link of links) link.tabIndex = -1;
  if (links.length > 0) links[0].tabIndex = 0;
  source.addEventListener('keydown', (event) => {
    const position = links.indexOf(event.target);
    const step = STEPS[event.key];
    if (position === -1 || step === undefined) return;
    event.preventDefault();
    const next = links[Math.min(Math.max(position + step, 0), links.length - 1)];
    links[position].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
})();
`;
