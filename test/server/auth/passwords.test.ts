import { describe, expect, it } from 'vitest';
import { findPasswordProblem, hashPassword, verifyPassword } from '../../../src/server/auth/passwords.ts';

describe('passwords', () => {
  it('match only their own hash', async () => {
    const hash = await hashPassword('correct horse');
    expect(hash).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(await verifyPassword('correct horse', hash)).toBe(true);
    expect(await verifyPassword('correct horsf', hash)).toBe(false);
    expect(await verifyPassword('', hash)).toBe(false);
  });

  it('get a different hash every time', async () => {
    expect(await hashPassword('correct horse')).not.toBe(await hashPassword('correct horse'));
  });

  it('never match a missing or malformed hash', async () => {
    for (const hash of [null, '', 'scrypt$15$8$3$$', 'plain'])
      expect(await verifyPassword('', hash), String(hash)).toBe(false);
  });

  it('match in composed and decomposed Unicode form', async () => {
    const hash = await hashPassword('p\u00e9ndulum-clock');
    expect(await verifyPassword('pe\u0301ndulum-clock', hash)).toBe(true);
  });

  it('must not be too short or too long', () => {
    expect(findPasswordProblem('123456789')).toContain('too short');
    expect(findPasswordProblem('1234567890')).toBeNull();
    expect(findPasswordProblem('x'.repeat(1025))).toContain('too long');
  });
});
