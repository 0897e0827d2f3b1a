#!/usr/bin/env node
const { printCachedResult } = require('../dist/cli/lookup.cjs');
const written = printCachedResult();
if (written !== null) void require('../dist/cli/main.cjs').main(written);
