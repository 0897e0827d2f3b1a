import type { MarkdownIt, StateCore } from 'markdown-it';
import { placeholder } from './readme-signs.ts';

/** Adds task lists: items that start with `[ ]` or `[x]` get a check box. GitHub Flavored Markdown, section 5.3. */
export function addTaskLists(markdownIt: MarkdownIt): void {
  // Before the rule that parses text, where `[x]` may be a link.
  markdownIt.core.ruler.after('block', 'task_lists', markTasks);
}

/**
 * Replaces the mark of each task with a placeholder. The text of an item follows the starts of the item and paragraph.
 */
function markTasks({ tokens }: StateCore): void {
  for (const [position, text] of tokens.entries()) {
    const item = tokens[position - 2];
    const isFirst = tokens[position - 1]?.type === 'paragraph_open' && item?.type === 'list_item_open';
    if (text.type !== 'inline' || !isFirst) continue;
    const [mark, state] = /^\[([ xX])\]\s+(?=\S)/.exec(text.content) ?? [];
    if (mark === undefined) continue;
    item.attrJoin('class', 'task');
    const sign = placeholder(state === ' ' ? 'open-task' : 'done-task');
    text.content = `${sign}${text.content.slice(mark.length)}`;
  }
}
