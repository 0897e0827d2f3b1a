#!/usr/bin/env node
let lookup;
try {
  lookup = require('../dist/cli/lookup.cjs');
} catch (error) {
  if (error.code !== 'MODULE_NOT_FOUND') throw error;
  const path = require('node:path');
  console.error(
    `error: this checkout of tsreg is not built\n  help: run \`npm install\` in ${path.dirname(__dirname)}`,
  );
  process.exit(101);
}
const miss = lookup.printCachedResult();
if (miss !== null) void require('../dist/cli/main.cjs').main(miss);
