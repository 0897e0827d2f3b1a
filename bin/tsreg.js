#!/usr/bin/env node
const { printCachedResult } = require('../dist/cli/lookup.cjs');
if (!printCachedResult()) void require('../dist/cli/main.cjs').main();
