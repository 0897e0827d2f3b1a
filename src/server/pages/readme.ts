/** Readmes: Markdown with HTML in it, written by strangers. */
import type { IOptions } from 'sanitize-html';
import { html, trustedHtml, type Html } from './html.ts';
import { repositoryFiles, webAddress, type RepositoryFiles } from './web-link.ts';

/** Longer readmes are cut here before they are rendered. Nothing else is answered meanwhile: half a second at worst. */
const MAX_README_CHARS = 256 * 1024;
/** What has more is shown as it was written: the time that cleaning takes grows with their square. */
const MAX_TAGS = 20_000;
/** Readmes that take longer are kept as HTML, as many as this. */
const KEPT_FROM_MS = 20;
const MAX_KEPT = 32;

/** Turns readmes into HTML. */
export interface ReadmeRenderer {
  /**
   * The readme as HTML that holds no scripts, styles, forms and frames, loads nothing, and whose links are
   * `http`, `https`, `mailto` or lead to its own headings. Relative links lead into `repository` where its
   * site is known (`readmePath` says where the readme stands in the package), and are text elsewhere;
   * images are links to themselves.
   */
  render(
    markdown: string,
    from: { readonly repository: string | null; readonly readmePath: string | null },
  ): Html;
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
  const renderAnew: ReadmeRenderer['render'] = (markdown, { repository, readmePath }) => {
    const text = markdown.slice(0, MAX_README_CHARS);
    const rendered = markdownIt.render(text);
    if (countTags(rendered) > MAX_TAGS) return html`<pre>${text}</pre>`;
    return trustedHtml(sanitizeHtml(rendered, sanitiserOptions(repositoryFiles(repository), readmePath)));
  };
  const kept = new Map<string, Html>();
  return {
    render(markdown, from) {
      const key = JSON.stringify([from.repository, from.readmePath, markdown]);
      const before = kept.get(key);
      const startedMs = performance.now();
      const rendered = before ?? renderAnew(markdown, from);
      if (before !== undefined || performance.now() - startedMs > KEPT_FROM_MS) {
        // The one that was not asked for the longest goes.
        kept.delete(key);
        kept.set(key, rendered);
        const [oldest] = kept.keys();
        if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      }
      return rendered;
    },
  };
}

function countTags(rendered: string): number {
  let count = 0;
  for (let at = rendered.indexOf('<'); at !== -1; at = rendered.indexOf('<', at + 1)) count += 1;
  return count;
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
