import { KEYBOARD_SCRIPT } from './keyboard-script.ts';

/**
 * Search while the user types, and copy buttons. Keep IDs and data attributes in step with `home-page.ts` and
 * `copyBox`.
 */
const PAGE_SCRIPT = `
(() => {
  const WAIT_MS = 120;

  for (const form of document.querySelectorAll('form[data-live]')) {
    const input = form.querySelector('input[type=search]');
    const results = document.getElementById(form.dataset.live);
    const status = document.getElementById('search-status');
    let timer = 0;
    let request = null;
    let shown = input.value.trim();
    const search = async () => {
      const query = input.value.trim();
      if (query === shown) return;
      request?.abort();
      request = new AbortController();
      const url = new URL(form.action);
      for (const [name, value] of query === '' ? [] : new FormData(form)) {
        url.searchParams.set(name, value.trim());
      }
      const page = url.href;
      url.searchParams.set('part', 'results');
      try {
        const response = await fetch(url, { signal: request.signal, headers: { accept: 'text/html' } });
        // A redirect leads to the sign-in page.
        if (!response.ok || response.redirected) return;
        const text = await response.text();
        if (query !== input.value.trim()) return;
        results.innerHTML = text;
        shown = query;
        history.replaceState(null, '', page);
        document.title = query === '' ? form.dataset.title : query + ' · ' + form.dataset.title;
        status.textContent = results.querySelector('[data-summary]')?.textContent ?? '';
      } catch (error) {
        if (error.name !== 'AbortError') status.textContent = 'Cannot reach the server.';
      }
    };
    input.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(search, WAIT_MS);
    });
  }

  const copyText = async (text) => {
    if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'silent';
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    if (!copied) throw new Error('refused');
  };

  for (const button of document.querySelectorAll('button[data-copy]')) {
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener('click', async () => {
      const source = document.getElementById(button.dataset.copy);
      try {
        await copyText(source.textContent);
        button.textContent = 'Copied';
      } catch {
        getSelection().selectAllChildren(source);
        button.textContent = 'Selected';
      }
      button.focus();
      setTimeout(() => { button.textContent = label; }, 2000);
    });
  }

  document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
})();
`;

/** The script of all pages, which work without it. */
export const BROWSER_SCRIPT = `'use strict';${PAGE_SCRIPT}${KEYBOARD_SCRIPT}`;
