import { SEARCH_FILTERS } from '../../shared/search-filters.ts';

/**
 * The part of the script that adds keys: `/` for the search, arrows for the results, `?` for a dialog with all keys and
 * the filters of the search. The dialog can turn off the keys that are single characters, which speech input could type
 * by mistake (WCAG 2.1.4).
 */
export const KEYBOARD_SCRIPT = `
(() => {
  const FIELDS = 'input, textarea, select, [contenteditable]';
  const OFF = 'single-keys-off';
  const KEYS = [
    ['/', 'Search'],
    ['↓ ↑', 'Next and previous result, from the search field'],
    ['Enter', 'Open the result'],
    ['?', 'Show these keys'],
    ['Esc', 'Close this window'],
  ];
  const FILTERS = ${JSON.stringify(SEARCH_FILTERS.map(({ kind, label, example }) => [`${kind}:${example}`, label]))};
  const areOff = () => {
    try { return localStorage.getItem(OFF) !== null; } catch { return false; }
  };
  const searchField = () =>
    document.querySelector('main input[type=search]') ?? document.querySelector('input[type=search]');
  const results = () => [...document.querySelectorAll('main ul.crates h3 a')];
  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  const focusSearch = () => {
    const field = searchField();
    if (field === null) return false;
    field.focus();
    // After a filter that the page has filled in, the user adds words.
    if (field.value.endsWith(' ')) field.setSelectionRange(field.value.length, field.value.length);
    else field.select();
    return true;
  };

  const moveBy = (step) => {
    const links = results();
    const field = searchField();
    // The search field is before the first result.
    const position = document.activeElement === field ? -1 : links.indexOf(document.activeElement);
    if (position === -1 && document.activeElement !== field) return false;
    const target = position + step === -1 ? field : links[position + step];
    target?.focus();
    return target !== undefined && target !== null;
  };

  const list = (tag, rows) =>
    make('dl', { className: 'facts' }, ...rows.flatMap(([word, text]) =>
      [make('dt', {}, make(tag, { textContent: word })), make('dd', { textContent: text })]));
  const makeDialog = () => {
    const box = make('input', { type: 'checkbox', checked: !areOff() });
    box.addEventListener('change', () => {
      try {
        if (box.checked) localStorage.removeItem(OFF);
        else localStorage.setItem(OFF, '');
      } catch {
        box.checked = true;
      }
    });
    const close = make('button', { textContent: 'Close', autofocus: true });
    const dialog = make('dialog', { className: 'keys' },
      make('h2', { id: 'keys-title', textContent: 'Keys' }),
      list('kbd', KEYS),
      make('h3', { textContent: 'Words that filter a search' }),
      list('code', FILTERS),
      make('p', {}, make('label', { className: 'check' }, box, 'Use / and ?')),
      close);
    dialog.setAttribute('aria-labelledby', 'keys-title');
    close.addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => dialog.remove());
    return dialog;
  };
  const showKeys = () => {
    const dialog = makeDialog();
    document.body.append(dialog);
    dialog.showModal();
    return true;
  };

  const opener = make('button', { type: 'button', className: 'as-link', textContent: 'Keys' });
  opener.addEventListener('click', showKeys);
  document.querySelector('footer.site ul')?.append(make('li', {}, opener));

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector('dialog[open]') !== null) return;
    const isInSearch = event.target === searchField();
    if (event.target.closest(FIELDS) !== null && !isInSearch) return;
    const isDone =
      event.key === 'ArrowDown' ? moveBy(1)
      : event.key === 'ArrowUp' ? !isInSearch && moveBy(-1)
      : isInSearch || areOff() ? false
      : event.key === '/' ? focusSearch()
      : event.key === '?' ? showKeys()
      : false;
    if (isDone) event.preventDefault();
  });
})();
`;
