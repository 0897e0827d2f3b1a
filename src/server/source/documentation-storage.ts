/**
 * A replacement for `localStorage` in pages of documentation. Browsers forbid it in the sandbox, and without it rustdoc
 * cannot switch its theme. The values are in the name of the window, which most browsers keep from page to page of a tab.
 */

/** Runs before rustdoc's scripts. */
const SCRIPT = `
(() => {
  try { if (window.localStorage) return; } catch { /* The sandbox. */ }
  const MARK = 'rustdoc:';
  let values = {};
  try { if (window.name.startsWith(MARK)) values = JSON.parse(window.name.slice(MARK.length)) ?? {}; } catch { /* Not ours. */ }
  const items = new Map(Object.entries(values).filter(([, value]) => typeof value === 'string'));
  const save = () => { window.name = MARK + JSON.stringify(Object.fromEntries(items)); };
  const value = {
    getItem: (key) => items.get(String(key)) ?? null,
    setItem: (key, item) => { items.set(String(key), String(item)); save(); },
    removeItem: (key) => { items.delete(String(key)); save(); },
  };
  Object.defineProperty(window, 'localStorage', { value });
})();
`;

const ELEMENT = Buffer.from(`<script>${SCRIPT.replaceAll(/\n\s*/g, '\n')}</script>`);
/** rustdoc's pages begin with a short text before it. */
const HEAD = Buffer.from('<head>');
const MAX_BYTES_BEFORE_HEAD = 1024;

/** Returns a page with the replacement; unchanged if it does not begin as the pages of rustdoc do. */
export function withStorage(page: Uint8Array): Uint8Array {
  const headStart = Buffer.from(page.buffer, page.byteOffset, page.byteLength).indexOf(HEAD);
  if (headStart === -1 || headStart > MAX_BYTES_BEFORE_HEAD) return page;
  const end = headStart + HEAD.length;
  return Buffer.concat([page.subarray(0, end), ELEMENT, page.subarray(end)]);
}
