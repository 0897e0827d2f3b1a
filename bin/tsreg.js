#!/usr/bin/env node
// What V8 makes of the program's text is kept for the next run: a quarter of a common run. From release 22 on Node can do
// that by itself.
const release = Number.parseInt(process.versions.node, 10);
if (release >= 22 && isFolderOurs()) require('node:module').enableCompileCache?.();
const files = release >= 22 ? null : require('../dist/cli/open-files.cjs').openFiles(process.env);

const { main } = files === null ? require('../dist/cli/main.cjs') : files.load('main');

// A run of a second is too short for V8's optimising compiler: what it compiles takes more time than it saves, a
// quarter of all. So it shall wait until code is much hotter than by default, small functions included. How that is said
// depends on the release of V8; those that are not listed were not measured. Common runs do without even this: asking V8
// takes them 2 ms.
const FLAGS = {
  20: '--interrupt-budget=1000000 --max-bytecode-size-for-early-opt=0',
  22: '--invocation-count-for-turbofan=30000',
  24: '--invocation-count-for-turbofan=30000',
  26: '--invocation-count-for-turbofan=30000',
};

let isLong = false;
main({
  noteUse: (use) => files?.noteUse(use),
  beforeLongWork() {
    const flag = FLAGS[release];
    if (flag === undefined || isLong) return;
    isLong = true;
    files?.prepareChangeOfFlags();
    require('node:v8').setFlagsFromString(flag);
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
