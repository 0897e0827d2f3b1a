/** Renders readmes: untrusted Markdown that may contain HTML. */
import { html, joined, trustedHtml, type Html } from '../shared/html.ts';
import { addAlerts } from './readme-alerts.ts';
import { addAutolinks } from './readme-autolinks.ts';
import { addFootnotes } from './readme-footnotes.ts';
import { addHeadingLinks } from './readme-headings.ts';
import { addImageTexts } from './readme-image-texts.ts';
import { readmeLinks, type ReadmeOrigin } from './readme-links.ts';
import { sanitizerOptions } from './readme-sanitizer.ts';
import { addStrikethrough } from './readme-strikethrough.ts';
import { addTaskLists } from './readme-tasks.ts';
import { loadHighlighter } from '../code/source-highlight.ts';
import { languageOfBlock } from '../code/source-language.ts';

/** A renderer of readmes. Its time may grow with the square of their length: see `Readmes`. */
export interface ReadmeRenderer {
  /**
   * Returns the readme as HTML without scripts, styles, forms and frames.
   *
   * - It loads only images of the archive, and badges through this server. Other images become links to themselves.
   * - Its links are `http`, `https` or `mailto`, or lead to its own headings and footnotes.
   * - Its relative links lead into the archive, or into `repository` if its site is known; otherwise they become text.
   * - It contains the placeholders of signs: see `withSigns`.
   */
  render(markdown: string, origin: ReadmeOrigin): Html;
}

/** Characters of code to highlight in one readme. Highlighting them takes up to a tenth of the time for rendering. */
const MAX_HIGHLIGHTED_CHARS = 32 * 1024;

/** Constructs that the parser itself does not know, or does not complete. */
const ADDITIONS = [
  addAutolinks,
  addStrikethrough,
  addAlerts,
  addTaskLists,
  addImageTexts,
  addHeadingLinks,
  addFootnotes,
] as const;

/** Loads the Markdown parser, the highlighter and the sanitizer, which few pages need. */
export async function loadReadmeRenderer(): Promise<ReadmeRenderer> {
  const [{ default: MarkdownIt }, { default: sanitizeHtml }, highlightLines] = await Promise.all([
    import('markdown-it'),
    import('sanitize-html'),
    loadHighlighter(),
  ]);
  // Counts the characters of one readme: `render` resets it.
  let highlightedChars = 0;
  const highlight = (code: string, info: string): string => {
    const language = languageOfBlock(info);
    if (language !== null) highlightedChars += code.length;
    // The parser escapes the code itself if this returns nothing.
    if (language === null || highlightedChars > MAX_HIGHLIGHTED_CHARS) return '';
    return html`${joined(highlightLines({ code, language }), '\n')}\n`.text;
  };
  const markdownIt = new MarkdownIt({ html: true, linkify: true, highlight });
  for (const add of ADDITIONS) add(markdownIt);
  return {
    render(markdown, origin) {
      highlightedChars = 0;
      const sanitized = sanitizeHtml(markdownIt.render(markdown), sanitizerOptions(readmeLinks(origin)));
      return trustedHtml(sanitized);
    },
  };
}
