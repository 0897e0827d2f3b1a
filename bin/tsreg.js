#!/usr/bin/env node
// What V8 makes of the program's text is kept for the next run: a quarter of a common run. From release 22 on Node can do
// that by itself.
const release = Number.parseInt(process.versions.node, 10);
if (release >= 22 && isFolderOurs()) require('node:module').enableCompileCache?.();
const { holdBackV8, leaveV8ToThread, openFiles } = require('../dist/cli/open-files.cjs');
const files = openFiles(process.env);

const { main } = files === null ? require('../dist/cli/main.cjs') : files.load('main');

main({
  noteUse: (use) => files?.noteUse(use),
  beforeLongWork(startsThread) {
    files?.beginLongWork();
    // Common runs do without even this: asking V8 takes them 2 ms.
    if (startsThread) leaveV8ToThread();
    else holdBackV8();
  },
});
if (files !== null) process.once('exit', () => files.keep());
/**
 * May Node keep it where it does, in the system's folder for temporary files? V8 believes what it finds there, so nobody
 * else may have made that folder. A folder that the user names is for the user to judge.
 */
function isFolderOurs() {
  const { env, getuid } = process;
  if (env.TSREG_CACHE === 'off') return false;
  if (env.NODE_COMPILE_CACHE || getuid === undefined) return true;
  const folder = `${require('node:os').tmpdir()}/node-compile-cache`;
  const stats = require('node:fs').lstatSync(folder, { throwIfNoEntry: false });
  return stats === undefined || (stats.isDirectory() && stats.uid === getuid() && (stats.mode & 0o022) === 0);
}
