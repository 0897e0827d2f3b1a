/** Readmes: Markdown with HTML in it, written by strangers. */
import type { IOptions } from 'sanitize-html';
import { trustedHtml, type Html } from './html.ts';
import { repositoryFiles, webAddress, type RepositoryFiles } from './web-link.ts';

/** Where links of a readme lead. */
export interface ReadmeOrigin {
  readonly repository: string | null;
  /** Where the readme stands in the package. */
  readonly readmePath: string | null;
}

/** Turns readmes into HTML. Takes a time that may grow with the square of their length: see `Readmes`. */
export interface ReadmeRenderer {
  /**
   * The readme as HTML that holds no scripts, styles, forms and frames, loads nothing, and whose links are
   * `http`, `https`, `mailto` or lead to its own headings. Relative links lead into `repository` where its
   * site is known, and are text elsewhere; images are links to themselves.
   */
  render(markdown: string, from: ReadmeOrigin): Html;
}

/** Loads the Markdown parser and the sanitiser, which no other page needs. */
export async function loadReadmeRenderer(): Promise<ReadmeRenderer> {
  const [{ default: MarkdownIt }, { default: sanitizeHtml }] = await Promise.all([
    import('markdown-it'),
    import('sanitize-html'),
  ]);
  const markdownIt = new MarkdownIt({ html: true, linkify: true });
  markdownIt.core.ruler.push('heading_names', ({ tokens }) => {
    const taken = new Map<string, number>();
    for (const [i, token] of tokens.entries()) {
      if (token.type !== 'heading_open') continue;
      const name = headingName(tokens[i + 1]?.content ?? '');
      const before = taken.get(name) ?? 0;
      taken.set(name, before + 1);
      token.attrSet('id', before === 0 ? name : `${name}-${before}`);
    }
  });
  return {
    render: (markdown, { repository, readmePath }) => {
      const options = sanitiserOptions(repositoryFiles(repository), readmePath);
      return trustedHtml(sanitizeHtml(markdownIt.render(markdown), options));
    },
  };
}

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

const TAGS = [
  ...HEADINGS,
  ...['p', 'div', 'blockquote', 'pre', 'hr', 'br', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'details', 'summary'],
  ...['table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'caption'],
  ...['a', 'span', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'mark', 'small', 'sub', 'sup', 'code'],
  ...['kbd', 'samp', 'var', 'abbr', 'cite', 'q', 'dfn', 'ruby', 'rt', 'rp', 'wbr'],
];

/** Names of headings within a page get this in front, so that they are never those of the page itself. */
const ANCHOR_PREFIX = 'readme-';

/** How deep elements may stand in each other. */
const MAX_DEPTH = 64;

function sanitiserOptions(files: RepositoryFiles | null, readmePath: string | null): IOptions {
  let openLinks = 0;
  return {
    allowedTags: TAGS,
    allowedAttributes: {
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
    },
    allowedClasses: { a: ['image'], span: ['image'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    nonTextTags: [
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
    ],
    nestingLimit: MAX_DEPTH,
    enforceHtmlBoundary: false,
    parseStyleAttributes: false,
    onOpenTag: (name) => {
      if (name === 'a') openLinks += 1;
    },
    onCloseTag: (name) => {
      if (name === 'a') openLinks -= 1;
    },
    transformTags: {
      '*': (tagName, { id, ...attribs }) => ({
        tagName,
        attribs: id === undefined ? attribs : { ...attribs, id: anchor(id) },
      }),
      a: (_, { href, id, name }) => {
        const target = href === undefined ? null : linkTarget(href, files, readmePath);
        const named = id ?? name;
        return {
          tagName: 'a',
          attribs: {
            ...(target === null ? {} : { href: target, rel: 'nofollow noopener noreferrer ugc' }),
            ...(named === undefined ? {} : { id: named }),
          },
        };
      },
      img: (_, { alt, src, title }) => {
        const address = src === undefined ? null : imageAddress(src, files, readmePath);
        const text = [alt, title].find((words) => words !== undefined && words.trim() !== '') ?? 'image';
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

/** The name that GitHub gives to a heading, which is what links within readmes are written for. */
function headingName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}

function anchor(name: string): string {
  return ANCHOR_PREFIX + name.toLowerCase().replace(/[^\p{L}\p{N}\p{M}_-]/gu, '-');
}

function linkTarget(href: string, files: RepositoryFiles | null, readmePath: string | null): string | null {
  if (href.startsWith('#')) {
    return href.length > 1 ? `#${encodeURIComponent(anchor(decode(href.slice(1))))}` : null;
  }
  if (/^mailto:/i.test(href)) return href;
  return webAddress(href) ?? (files === null ? null : within(files.pages, readmePath, href));
}

function imageAddress(src: string, files: RepositoryFiles | null, readmePath: string | null): string | null {
  return webAddress(src) ?? (files === null ? null : within(files.raw, readmePath, src));
}

/** A relative address, seen from the readme; null where it leads out of the folder or is none. */
function within(folder: string, readmePath: string | null, relative: string): string | null {
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
