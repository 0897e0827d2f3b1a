import type { MarkdownIt, Token } from 'markdown-it';

/**
 * Completes the alternative texts of images: the parser leaves out escaped characters, entities and code. CommonMark,
 * section 6.4.
 */
export function addImageTexts({ core }: MarkdownIt): void {
  core.ruler.push('image_texts', ({ tokens }) => {
    for (const { children } of tokens) completeTexts(children ?? []);
  });
}

/** Makes text of the parts that the parser leaves out. An alternative text can contain images. */
function completeTexts(parts: readonly Token[]): void {
  for (const { type, children } of parts) {
    if (type !== 'image') continue;
    for (const part of children ?? []) {
      if (part.type === 'text_special' || part.type === 'code_inline') part.type = 'text';
    }
    completeTexts(children ?? []);
  }
}
