#!/usr/bin/env node
// What V8 makes of the program's text is kept for the next run: a quarter of a common run.
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
