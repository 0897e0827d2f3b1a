/** Renders readmes: untrusted Markdown that may contain HTML. */
import type { IOptions } from 'sanitize-html';
import { present } from '../../core/errors/assert.ts';
import { html, joined, trustedHtml, type Html } from './html.ts';
import { loadHighlighter } from './source-highlight.ts';
import { languageOfBlock } from './source-language.ts';
import { repositoryFiles, webAddress, type RepositoryFiles } from './web-link.ts';

/** The origin of a readme, to resolve its links. */
export interface ReadmeOrigin {
  readonly repository: string | null;
  /** Path of the readme in the package. */
  readonly readmePath: string | null;
}

/** A renderer of readmes. Its time may grow with the square of their length: see `Readmes`. */
export interface ReadmeRenderer {
  /**
   * Returns the readme as HTML without scripts, styles, forms and frames. It loads nothing. Links are `http`, `https`
   * or `mailto`, or lead to headings of the readme. Relative links lead into `repository` if its site is known;
   * otherwise they become text. Images become links to themselves.
   */
  render(markdown: string, from: ReadmeOrigin): Html;
}

/** Characters of code to highlight in one readme. It takes up to a tenth of the time for rendering. */
const MAX_HIGHLIGHTED_CHARS = 32 * 1024;

/** Loads the Markdown parser, the highlighter and the sanitizer, which few pages need. */
export async function loadReadmeRenderer(): Promise<ReadmeRenderer> {
  const [{ default: MarkdownIt }, { default: sanitizeHtml }, highlightLines] = await Promise.all([
    import('markdown-it'),
    import('sanitize-html'),
    loadHighlighter(),
  ]);
  let highlightedChars = 0;
  const highlight = (code: string, info: string): string => {
    const language = languageOfBlock(info);
    if (language !== null) highlightedChars += code.length;
    // The parser escapes the code itself if this returns nothing.
    if (language === null || highlightedChars > MAX_HIGHLIGHTED_CHARS) return '';
    return html`${joined(highlightLines({ code, language }), '\n')}\n`.text;
  };
  const markdownIt = new MarkdownIt({ html: true, linkify: true, highlight });
  markdownIt.core.ruler.push('heading_names', ({ tokens }) => {
    /** How many headings have each name so far. */
    const counts = new Map<string, number>();
    for (const [position, token] of tokens.entries()) {
      if (token.type !== 'heading_open') continue;
      const name = headingName(present(tokens[position + 1], 'the text of a heading').content);
      const before = counts.get(name) ?? 0;
      counts.set(name, before + 1);
      token.attrSet('id', before === 0 ? name : `${name}-${before}`);
    }
  });
  return {
    render: (markdown, { repository, readmePath }) => {
      highlightedChars = 0;
      const options = sanitizerOptions(repositoryFiles(repository), readmePath);
      return trustedHtml(sanitizeHtml(markdownIt.render(markdown), options));
    },
  };
}

/** Elements that stay. */
const ALLOWED_TAGS = `
  h1 h2 h3 h4 h5 h6 p div blockquote pre hr br ul ol li dl dt dd details summary
  table thead tbody tfoot tr th td caption
  a span b strong i em u s del ins mark small sub sup code kbd samp var abbr cite q dfn ruby rt rp wbr`
  .trim()
  .split(/\s+/);

/** Prefix of IDs in a readme, so that they never equal an ID of the page. */
const ANCHOR_PREFIX = 'readme-';

/** Maximum nesting depth of elements. */
const MAX_DEPTH = 64;

/**
 * Attributes that stay, by element. They apply to the result of `transformTags`, so those of `a` also serve links made
 * from images.
 */
const ALLOWED_ATTRIBUTES = {
  '*': ['id'],
  a: ['href', 'rel', 'class'],
  span: ['class'],
  ol: ['start'],
  th: ['colspan', 'rowspan', 'align'],
  td: ['colspan', 'rowspan', 'align'],
  p: ['align'],
  div: ['align'],
  details: ['open'],
  abbr: ['title'],
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

/** Returns the options for one readme. They have a state: the number of links that are open. */
function sanitizerOptions(files: RepositoryFiles | null, readmePath: string | null): IOptions {
  let openLinks = 0;
  return {
    allowedTags: ALLOWED_TAGS,
    allowedAttributes: ALLOWED_ATTRIBUTES,
    allowedClasses: { a: ['image'], span: ['image', 'hidden-character', 'hl-*'] },
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
      a: (_, { href, id, name }) => {
        const target = href === undefined ? null : linkTarget(href, files, readmePath);
        const anchorName = id ?? name;
        return {
          tagName: 'a',
          attribs: {
            ...(target === null ? {} : { href: target, rel: 'nofollow noopener noreferrer ugc' }),
            // `*` adds the prefix.
            ...(anchorName === undefined ? {} : { id: anchorName }),
          },
        };
      },
      img: (_, { alt, src, title }) => {
        const address = src === undefined ? null : imageAddress(src, files, readmePath);
        const text = [alt, title].find((words) => words !== undefined && words.trim() !== '') ?? 'image';
        // A link cannot contain another one.
        return address === null || openLinks > 0
          ? { tagName: 'span', attribs: { class: 'image' }, text }
          : {
              tagName: 'a',
              attribs: { class: 'image', href: address, rel: 'nofollow noopener noreferrer ugc' },
              text,
            };
      },
    },
  };
}

/** Returns the ID that GitHub gives to a heading, because links within readmes use it. */
function headingName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Returns the ID of an anchor. Links in the readme are changed in the same way, so they still lead there. */
function anchor(name: string): string {
  return ANCHOR_PREFIX + name.toLowerCase().replace(/[^\p{L}\p{N}\p{M}_-]/gu, '-');
}

function linkTarget(href: string, files: RepositoryFiles | null, readmePath: string | null): string | null {
  if (href.startsWith('#')) {
    return href.length > 1 ? `#${encodeURIComponent(anchor(decode(href.slice(1))))}` : null;
  }
  if (/^mailto:/i.test(href)) return href;
  return webAddress(href) ?? (files === null ? null : resolveWithin(files.pages, readmePath, href));
}

function imageAddress(src: string, files: RepositoryFiles | null, readmePath: string | null): string | null {
  return webAddress(src) ?? (files === null ? null : resolveWithin(files.raw, readmePath, src));
}

/** Resolves a relative URL from the readme; null if it leads out of `folder` or is not relative. */
function resolveWithin(folder: string, readmePath: string | null, relative: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(relative) || relative.startsWith('//') || relative.includes('\\'))
    return null;
  try {
    const from = new URL(readmePath ?? 'README.md', folder);
    const url = new URL(
      relative.startsWith('/') ? `.${relative}` : relative,
      relative.startsWith('/') ? folder : from,
    );
    return from.href.startsWith(folder) && url.href.startsWith(folder) ? url.href : null;
  } catch {
    return null;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
