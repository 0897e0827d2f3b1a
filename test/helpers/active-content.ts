/** Runs in the page: returns the elements that run code, load something from elsewhere or are not the site's own. */
export const ACTIVE_CONTENT = `(() => {
  const HANDLER = /^(?:on.*|style|srcset|srcdoc|formaction|ping|background|poster|xlink:.*|http-equiv)$/i;
  const ELEMENT = /^(?:style|iframe|frame|frameset|object|embed|applet|base|math|template|video|audio|portal|noembed|plaintext)$/i;
  const isOwn = (address) => new URL(address, location.href).origin === location.origin;
  const isLink = (address) => /^(?:https?|mailto):$/.test(new URL(address, location.href).protocol);
  const isActive = (element) => {
    if (ELEMENT.test(element.localName) || element.getAttributeNames().some((name) => HANDLER.test(name))) return true;
    if (element.localName === 'script' && !/^\\/assets\\//.test(element.getAttribute('src') ?? '')) return true;
    const [src, href, action] = ['src', 'href', 'action'].map((name) => element.getAttribute(name));
    if ((src !== null && !isOwn(src)) || (action !== null && !isOwn(action))) return true;
    return href !== null && !(element.localName === 'link' ? isOwn(href) : isLink(href));
  };
  const FOREIGN = 'form, button, input:not([type=checkbox][disabled]), [name], [id]:not([id^=readme-]), svg:not(.icon), link, meta, script';
  return [
    ...[...document.querySelectorAll('*')].filter(isActive),
    ...document.querySelectorAll(FOREIGN.split(', ').map((selector) => '.readme ' + selector).join(', ')),
  ].map((element) => element.outerHTML.slice(0, 200));
})()`;
