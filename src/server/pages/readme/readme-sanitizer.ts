/** The rules for the HTML of a readme: which elements, attributes and classes stay. */
import type { Attributes, IOptions, Tag } from 'sanitize-html';
import { anchor, type ReadmeLinks } from './readme-links.ts';
import { PLACEHOLDER_CLASSES } from './readme-signs.ts';

/** Elements that stay. */
const ALLOWED_TAGS = `
  h1 h2 h3 h4 h5 h6 p div blockquote pre hr br ul ol li dl dt dd details summary
  table thead tbody tfoot tr th td caption
  a img span b strong i em u s del ins mark small sub sup code kbd samp var abbr cite q dfn ruby rt rp wbr`
  .trim()
  .split(/\s+/);

/** Maximum nesting depth of elements. */
const MAX_DEPTH = 64;

/** Maximum images that load. Each one is read from the archive, or fetched as a badge. */
const MAX_IMAGES = 50;

/**
 * Attributes that stay, by element. They apply to the result of `transformTags`, so those of `a` also serve links made
 * from images.
 */
const ALLOWED_ATTRIBUTES = {
  '*': ['id'],
  a: ['href', 'rel'],
  img: ['src', 'alt', 'width', 'height', 'loading'],
  ol: ['start'],
  pre: ['tabindex'],
  table: ['tabindex'],
  th: ['colspan', 'rowspan', 'align'],
  td: ['colspan', 'rowspan', 'align'],
  p: ['align'],
  div: ['align'],
  details: ['open'],
  abbr: ['title'],
};

/** Classes that stay, by element. All are for looks. */
const ALLOWED_CLASSES = {
  a: ['image', 'anchor', 'back'],
  span: ['image', 'hidden-character', 'hl-*', ...PLACEHOLDER_CLASSES],
  div: ['alert', 'alert-*', 'footnotes'],
  p: ['alert-title'],
  li: ['task'],
};

/** Elements that are removed with their text. Of all others, the text stays. */
const NON_TEXT_TAGS = [
  'script',
  'style',
  'textarea',
  'option',
  'noscript',
  'title',
  'svg',
  'math',
  'template',
  'iframe',
];

/**
 * `rel` of all links: readers of other sites learn nothing, and search engines do not count links of untrusted text.
 */
const LINK_KINDS = 'nofollow noopener noreferrer ugc';

/** Returns the options for one readme. Use them only once: they count open links and images. */
export function sanitizerOptions(links: ReadmeLinks): IOptions {
  let openLinks = 0;
  let images = 0;
  return {
    allowedTags: ALLOWED_TAGS,
    allowedAttributes: ALLOWED_ATTRIBUTES,
    allowedClasses: ALLOWED_CLASSES,
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    nonTextTags: NON_TEXT_TAGS,
    nestingLimit: MAX_DEPTH,
    enforceHtmlBoundary: false,
    parseStyleAttributes: false,
    onOpenTag: (name) => {
      if (name === 'a') openLinks += 1;
    },
    onCloseTag: (name) => {
      if (name === 'a') openLinks -= 1;
    },
    // sanitize-html calls `onOpenTag` with the original element, then the function for that element, then `*` with the
    // result. Only then it removes elements and attributes that are not allowed.
    transformTags: {
      '*': (tagName, { id, ...attribs }) => ({
        tagName,
        attribs: id === undefined ? attribs : { ...attribs, id: anchor(id) },
      }),
      pre: scrollable,
      table: scrollable,
      th: aligned,
      td: aligned,
      a: (_, attribs) => linkTag(attribs, links),
      img: (_, attribs) => {
        const tag = imageTag(attribs, links, { mayLoad: images < MAX_IMAGES, isInLink: openLinks > 0 });
        if (tag.tagName === 'img') images += 1;
        return tag;
      },
    },
  };
}

/** Returns a link; without an address if it must lead nowhere. */
function linkTag({ href, id, name, class: classes }: Attributes, links: ReadmeLinks): Tag {
  const target = href === undefined ? null : links.link(href);
  const anchorName = id ?? name;
  return {
    tagName: 'a',
    attribs: {
      ...(target === null ? {} : { href: target, rel: LINK_KINDS }),
      // The rule for `*` adds the prefix.
      ...(anchorName === undefined ? {} : { id: anchorName }),
      ...(classes === undefined ? {} : { class: classes }),
    },
  };
}

/** Returns an image if it may load and a page can load it; otherwise its text, as a link to the image if possible. */
function imageTag(
  { alt, src, title, width, height }: Attributes,
  links: ReadmeLinks,
  { mayLoad, isInLink }: { readonly mayLoad: boolean; readonly isInLink: boolean },
): Tag {
  const image = src === undefined ? null : links.image(src);
  const text = [alt, title].find((words) => words !== undefined && words.trim() !== '');
  if (mayLoad && image !== null && image.source !== null) {
    const size = { ...sizeAttribute('width', width), ...sizeAttribute('height', height) };
    return { tagName: 'img', attribs: { src: image.source, alt: text ?? '', ...size, loading: 'lazy' } };
  }
  const shown = text ?? 'image';
  // A link cannot contain another one.
  if (image === null || isInLink) return { tagName: 'span', attribs: { class: 'image' }, text: shown };
  return { tagName: 'a', attribs: { class: 'image', href: image.address, rel: LINK_KINDS }, text: shown };
}

/** Lets the keyboard scroll an element that may be wider than the page. */
function scrollable(tagName: string, attribs: Attributes): Tag {
  return { tagName, attribs: { ...attribs, tabindex: '0' } };
}

/** Turns the style that the Markdown parser writes for the alignment of a cell into an attribute. */
function aligned(tagName: string, { style, ...attribs }: Attributes): Tag {
  const [, align] = /^text-align:(left|center|right)$/.exec(style ?? '') ?? [];
  return { tagName, attribs: align === undefined ? attribs : { ...attribs, align } };
}

/** Returns the attribute for a size in pixels or percent; none for anything else. */
function sizeAttribute(name: 'width' | 'height', size: string | undefined): Attributes {
  return size !== undefined && /^\d{1,4}%?$/.test(size) ? { [name]: size } : {};
}
