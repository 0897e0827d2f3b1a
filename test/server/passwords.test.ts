import { describe, expect, it } from 'vitest';
import { findPasswordProblem, hashPassword, verifyPassword } from '../../src/server/passwords.ts';

describe('passwords', () => {
  it('are recognised by their hash, and others are not', async () => {
    const hash = await hashPassword('correct horse');
    expect(hash).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(await verifyPassword('correct horse', hash)).toBe(true);
    expect(await verifyPassword('correct horsf', hash)).toBe(false);
    expect(await verifyPassword('', hash)).toBe(false);
  });

  it('have another hash every time', async () => {
    expect(await hashPassword('correct horse')).not.toBe(await hashPassword('correct horse'));
  });

  it('are refused where there is no hash, or none that can be read', async () => {
    for (const hash of [null, '', 'scrypt$15$8$3$$', 'plain'])
      expect(await verifyPassword('', hash), String(hash)).toBe(false);
  });

  it('are the same however their characters were typed', async () => {
    const hash = await hashPassword('p\u00e9ndulum-clock');
    expect(await verifyPassword('pe\u0301ndulum-clock', hash)).toBe(true);
  });

  it('must have some length, and not too much of it', () => {
    expect(findPasswordProblem('123456789')).toContain('too short');
    expect(findPasswordProblem('1234567890')).toBeNull();
    expect(findPasswordProblem('x'.repeat(1025))).toContain('too long');
  });
});
