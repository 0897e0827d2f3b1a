# "From TypeScript", in a workspace without a Cargo.lock. The packages typescript and @types/node are installed.
set -eu

cat > use.ts <<'END'
import { metadata, TsregError } from 'tsreg';

try {
  const { parse } = await metadata({ cwd: process.cwd(), env: process.env, locked: true });
  for (const { name, version } of parse().packages) console.log(name, version);
} catch (error) {
  if (!(error instanceof TsregError) || error.code !== 'lockfile') throw error;
  console.error('Cargo.lock is not up to date');
}
END
echo '{ "private": true, "type": "module" }' > package.json
node_modules/.bin/tsc --strict --module nodenext --target es2023 --types node use.ts

node use.js
tsreg generate-lockfile
node use.js
