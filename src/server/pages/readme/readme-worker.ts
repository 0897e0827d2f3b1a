/**
 * A thread that renders readmes for `Readmes` and code for `SourceCode`, one after the other. It posts `ready` once,
 * and then the HTML of each task as text.
 */
import { parentPort } from 'node:worker_threads';
import { loadReadmeRenderer } from './readme.ts';
import type { ReadmeTask } from './readmes.ts';
import { loadHighlighter, type CodeTask } from '../code/source-highlight.ts';
import { numberedLines } from '../code/source-text.ts';

void start();

async function start(): Promise<void> {
  const [renderer, highlight] = await Promise.all([loadReadmeRenderer(), loadHighlighter()]);
  parentPort?.on('message', (task: ReadmeTask | CodeTask) => {
    const rendered =
      'code' in task ? numberedLines(highlight(task)) : renderer.render(task.markdown, task.origin);
    parentPort?.postMessage(rendered.text);
  });
  parentPort?.postMessage('ready');
}
