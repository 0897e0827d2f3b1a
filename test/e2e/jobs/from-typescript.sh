# "How do I call it from TypeScript?", in a workspace without a Cargo.lock. The packages typescript and @types/node are installed.
set -eu

cat > check.ts <<'END'
import { metadata, TsregError } from 'tsreg';

try {
  await metadata({ locked: true });
} catch (error) {
  if (!(error instanceof TsregError) || error.code !== 'lockfile') throw error;
  console.error('Cargo.lock is not up to date');
}
END
cat > use.ts <<'END'
import { metadata } from 'tsreg';

const { parse } = await metadata();
for (const { name, version } of parse().packages) console.log(name, version);
END
echo '{ "private": true, "type": "module" }' > package.json
node_modules/.bin/tsc --strict --module nodenext --target es2023 --types node check.ts use.ts

node check.js
tsreg generate-lockfile
node use.js
