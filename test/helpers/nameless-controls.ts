/** Runs in the page: returns fields, buttons and links without a name, and duplicate ids. */
export const NAMELESS = `(() => {
  const nameOf = (element) => (element.getAttribute('aria-label') ?? '') + (element.labels?.[0]?.textContent ?? '') +
    (element.matches('input, select') ? '' : element.textContent);
  const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
  return [
    ...[...document.querySelectorAll('input:not([type=hidden]), select, button, a')]
      .filter((element) => nameOf(element).trim() === '').map((element) => element.outerHTML),
    ...ids.filter((id, i) => ids.indexOf(id) !== i),
  ];
})()`;
