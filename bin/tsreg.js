#!/usr/bin/env node
// Keeps what V8 makes of the program's text for the next run, where Node can do that by itself: a tenth of a common run.
require('node:module').enableCompileCache?.();

const { main } = require('../dist/cli/main.cjs');

// A run of a second is too short for V8's optimising compiler: what it compiles takes more time than it saves, a
// quarter of all. So it shall wait until code is much hotter than by default. How that is said depends on the release
// of V8; those that are not listed were not measured. Common runs do without even this: asking V8 takes them 2 ms.
const FLAGS = {
  20: '--interrupt-budget=1000000',
  22: '--invocation-count-for-turbofan=30000',
  24: '--invocation-count-for-turbofan=30000',
  26: '--invocation-count-for-turbofan=30000',
};

main({
  beforeLongWork() {
    const flag = FLAGS[Number.parseInt(process.versions.node, 10)];
    if (flag !== undefined) require('node:v8').setFlagsFromString(flag);
  },
});
