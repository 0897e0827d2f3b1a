import type { MarkdownIt } from 'markdown-it';

/**
 * Selects which addresses in text become links: those with a scheme, and email addresses. Other names with dots remain
 * text: `build.rs` and `README.md` are files, although `.rs` and `.md` are domains.
 */
export function addAutolinks({ linkify }: MarkdownIt): void {
  // `null` removes the rule for addresses such as `//example.com`.
  linkify.set({ fuzzyLink: false }).add('//', null);
}
