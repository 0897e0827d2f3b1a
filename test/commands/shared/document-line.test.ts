import { expect, it } from 'vitest';
import { documentLine } from '../../../src/commands/shared/document-line.ts';

it('prints a document on one line, with keys in snake_case and values unchanged', () => {
  const document = {
    version: 1,
    heldBack: [{ rustVersion: null, name: 'camelCase' }],
    limits: { 'new-crate': { everySeconds: 600 } },
    dryRun: false,
  };
  expect(documentLine(document)).toBe(
    '{"version":1,"held_back":[{"rust_version":null,"name":"camelCase"}],' +
      '"limits":{"new-crate":{"every_seconds":600}},"dry_run":false}\n',
  );
});
