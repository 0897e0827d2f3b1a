import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compilePrograms } from '../helpers/compile-programs.ts';
import { projectRoot } from '../helpers/project-root.ts';

const ASSERTIONS = readFileSync(path.join(projectRoot, 'test/library/type-assertions.ts'), 'utf8')
  .replace("'../../src/index.ts'", "'tsreg'")
  .replace("'../../src/library/server/index.ts'", "'tsreg/server'");

describe('the declarations of the package', () => {
  it('meet the assertions, without @types/node', () => {
    expect(ASSERTIONS).toContain("from 'tsreg'");
    expect(ASSERTIONS).toContain("from 'tsreg/server'");
    // The default library of the compiler includes `dom`.
    expect(compilePrograms([ASSERTIONS], '--exactOptionalPropertyTypes', '--types', '')).toBe('');
  });

  it('fail the check if an assertion is wrong', () => {
    const wrong = ASSERTIONS.replace("Same<tsreg.CargoLockfile['version'], 1 | 2 | 3 | 4>", 'Same<1, 2>');
    expect(wrong).not.toBe(ASSERTIONS);
    expect(compilePrograms([wrong])).toMatch(/^\S+: error TS2344: /);
  });
});
