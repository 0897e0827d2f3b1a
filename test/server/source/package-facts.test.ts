import { expect, it } from 'vitest';
import { readPackageFacts, type PackageFacts } from '../../../src/server/source/package-facts.ts';
import { packFiles, type PackedFiles } from '../../helpers/source-crates.ts';

function factsOf(files: PackedFiles): PackageFacts {
  const options = { topFolder: 'a-1.0.0', maxUnpackedBytes: 1e8, maxFiles: 100 };
  return readPackageFacts({ bytes: new Uint8Array(packFiles('a-1.0.0', files)), options });
}

it('reads the edition and the description, and whether there is a library or a program', () => {
  const manifest = '[package]\nedition = "2024"\ndescription = " Two\\nlines "\n[lib]\nname = "a"\n';
  expect(factsOf({ 'Cargo.toml': manifest, 'src/main.rs': '' })).toEqual({
    edition: '2024',
    description: 'Two\nlines',
    hasLibrary: true,
    hasPrograms: true,
  });
});

it('knows the edition of a manifest that states none, and no edition that is not a year', () => {
  expect(factsOf({ 'Cargo.toml': '[package]\n' }).edition).toBe('2015');
  for (const odd of ['21', '<b>', '2'.repeat(100_000)])
    expect(factsOf({ 'Cargo.toml': `[package]\nedition = "${odd}"\n` }).edition).toBeNull();
});
