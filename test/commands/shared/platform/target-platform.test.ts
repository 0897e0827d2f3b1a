import { expect, it } from 'vitest';
import { targetFinder } from '../../../../src/commands/shared/platform/target-platform.ts';

it.each([
  ['wasm32-wasip9', 'a target with a similar name exists: `wasm32-wasip1`'],
  ['loongarch64-foo', /^similar targets are `loongarch64-unknown-linux-gnu`, /],
  ['x86_64-linux', /^similar targets are (?:`[^ ]*`,? ){8}and \d+ more: https:/],
  ['foo', 'https://doc.rust-lang.org/rustc/platform-support.html lists the targets'],
])('gives a hint for the unknown target %s', async (triple, hint) => {
  const find = await targetFinder('tsreg');
  const expected = { message: `unknown target \`${triple}\``, code: 'toolchain' };
  expect(() => find(triple, [])).toThrow(
    expect.objectContaining({
      ...expected,
      hint: typeof hint === 'string' ? hint : expect.stringMatching(hint),
    }),
  );
});

it("reports an unknown target in rustc's words in compatibility mode", async () => {
  const find = await targetFinder('cargo');
  expect(() => find('foo', [])).toThrow('failed to run `rustc` to learn about target-specific information');
});
