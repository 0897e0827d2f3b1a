/** The structure of a rendered readme, as far as two renderers must agree. */
import sanitizeHtml from 'sanitize-html';

/** Parts of a readme by their kind, in the order of the text. */
export interface ReadmeStructure {
  readonly headings: string[];
  readonly links: string[];
  readonly images: string[];
  readonly lists: string[];
  readonly tables: string[];
  readonly codeBlocks: string[];
  readonly tasks: string[];
  /** All text without white space. */
  text: string;
}

/** An element whose end has not been read, with the text so far. */
interface OpenElement {
  readonly name: string;
  readonly attribs: Readonly<Record<string, string>>;
  text: string;
  /** Items of a list, or cells of a table. */
  readonly children: string[];
}

/** Elements whose content is not part of the text, because it is not shown or is about an image. */
const HIDDEN = /^(?:script|style|svg|math|template|iframe|textarea|option|noscript|title)$/;

/** Returns the structure of HTML. The signs of this project's readmes and their plain HTML count as the same. */
export function structureOf(html: string): ReadmeStructure {
  const found = new StructureReader();
  sanitizeHtml(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    nonTextTags: [
      'script',
      'style',
      'svg',
      'math',
      'template',
      'iframe',
      'textarea',
      'option',
      'noscript',
      'title',
    ],
    onOpenTag: (name, attribs) => found.open(name, attribs),
    onCloseTag: (name) => found.close(name),
    textFilter: (text) => {
      found.addText(text);
      return text;
    },
  });
  return found.structure;
}

class StructureReader {
  readonly structure: ReadmeStructure = {
    ...{ headings: [], links: [], images: [], lists: [], tables: [], codeBlocks: [], tasks: [], text: '' },
  };
  readonly #open: OpenElement[] = [];

  open(name: string, attribs: Readonly<Record<string, string>>): void {
    const { images, tasks } = this.structure;
    const classes = attribs['class'] ?? '';
    if (name === 'img') images.push(words(attribs['alt'] || attribs['title'] || 'image'));
    if (name === 'input' && attribs['type'] === 'checkbox')
      tasks.push('checked' in attribs ? 'done' : 'open');
    if (/^sign-(?:done|open)-task$/.test(classes)) tasks.push(classes.slice(5, 9));
    this.#open.push({ name, attribs, text: '', children: [] });
  }

  addText(escaped: string): void {
    if (this.#open.some(({ name, attribs }) => HIDDEN.test(name) || isImage(attribs))) {
      const image = this.#open.findLast(({ attribs }) => isImage(attribs));
      if (image !== undefined) image.text += unescape(escaped);
      return;
    }
    const text = unescape(escaped);
    this.structure.text += text.replace(/\s+/g, '');
    for (const element of this.#open) element.text += text;
  }

  close(name: string): void {
    const element = this.#open.pop();
    if (element === undefined || element.name !== name) throw new Error(`unexpected end of ${name}`);
    const { attribs, text, children } = element;
    const { headings, links, images, lists, tables, codeBlocks } = this.structure;
    const parent = this.#open.findLast((other) => /^(?:ul|ol|table)$/.test(other.name));
    if (isImage(attribs)) images.push(words(text));
    else if (/^h[1-6]$/.test(name)) headings.push(`${name} ${words(text)}`);
    else if (name === 'a' && !/\b(?:anchor|back)\b/.test(attribs['class'] ?? '')) links.push(words(text));
    else if (name === 'pre') codeBlocks.push(text.trim());
    else if (name === 'ul' || name === 'ol')
      lists.push(`${name} ${attribs['start'] ?? '1'} ${children.length}`);
    else if (name === 'li') parent?.children.push('item');
    else if (name === 'td' || name === 'th')
      parent?.children.push(`${name} ${alignment(attribs)}: ${words(text)}`);
    else if (name === 'table') tables.push(children.join(' | '));
  }
}

/** Returns true for what this project shows instead of an image from elsewhere. */
function isImage(attribs: Readonly<Record<string, string>>): boolean {
  return attribs['class'] === 'image';
}

function alignment(attribs: Readonly<Record<string, string>>): string {
  return attribs['align'] ?? /text-align:\s*(\w+)/.exec(attribs['style'] ?? '')?.[1] ?? '';
}

function words(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
