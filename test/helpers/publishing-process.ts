/**
 * A separate process that publishes to the registry in a folder: `FOLDER LABEL COUNT NAME`. It prints `ready`, waits
 * for a line, and then prints one line for each version: `published 1.2.3` or `refused 409 1.2.3`.
 */
import { publishBody } from './publish-body.ts';
import { openTestRegistry } from './test-registry.ts';

const [folder = '', label = '', count = '0', name = `crate-${label}`] = process.argv.slice(2);
const registry = await openTestRegistry({ folder });
const actor = await registry.tokenOf(await registry.user('alice'));
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
for (let patch = 0; patch < Number(count); patch += 1) {
  const version = `1.0.${patch}`;
  const files = { 'src/lib.rs': `// ${label} ${patch} ${'x'.repeat(patch * 997)}` };
  const result = await registry.publish(actor, publishBody({ name, version, files }).bytes);
  process.stdout.write(
    result.kind === 'published' ? `published ${version}\n` : `refused ${result.status} ${version}\n`,
  );
}
process.stdin.destroy();
await registry[Symbol.asyncDispose]();
