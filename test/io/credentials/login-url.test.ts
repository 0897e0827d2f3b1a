import { expect, it } from 'vitest';
import { loginUrlIn } from '../../../src/io/credentials/login-url.ts';

const challenge = (value: string): readonly [string, string] => ['WWW-Authenticate', value];

it('returns the last login URL of all challenges', () => {
  expect(
    loginUrlIn([
      challenge('Cargo login_url="https://a.example", Cargo login_url="https://b.example"'),
      challenge('Basic realm="x"'),
    ]),
  ).toBe('https://b.example/');
});

it('ignores headers that are not ASCII and invalid URLs', () => {
  expect(
    loginUrlIn([
      challenge('Cargo login_url="https://a.example"'),
      challenge('Cargo login_url="nope"'),
      challenge('Cargo login_url="https://b.example", realm="größe"'),
    ]),
  ).toBe('https://a.example/');
});
