/** A thread that renders readmes, one after the other. `Readmes` starts it. */
import { parentPort } from 'node:worker_threads';
import { loadReadmeRenderer } from './readme.ts';
import type { ReadmeTask } from './readmes.ts';

void start();

async function start(): Promise<void> {
  const renderer = await loadReadmeRenderer();
  parentPort?.on('message', ({ markdown, from }: ReadmeTask) => {
    parentPort?.postMessage(renderer.render(markdown, from).text);
  });
  parentPort?.postMessage('ready');
}
