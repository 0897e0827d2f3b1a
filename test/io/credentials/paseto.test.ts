import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/io/config/secret.ts';
import { makeTokenKey, readTokenKey } from '../../../src/io/credentials/paserk.ts';
import { keySubjectOf } from '../../../src/io/credentials/paseto-arguments.ts';
import { signToken } from '../../../src/io/credentials/paseto-provider.ts';
import { verifyToken } from '../../helpers/paseto.ts';

/** The key of the PASETO version 3 test vectors. */
const VECTOR_SECRET =
  '20347609607477aca8fbfbc5e6218455f3199669792ef8b466faa87bdc67798144c848dd03661eed5ac62461340cea96';
const VECTOR_PUBLIC =
  '02fbcb7c69ee1c60579be7a334134878d9c5c5bf35d552dab63c0140397ed14cef637d7720925c44699ea30e72874c72fb';
/** Vector 3-S-2. */
const VECTOR_TOKEN =
  'v3.public.eyJkYXRhIjoidGhpcyBpcyBhIHNpZ25lZCBtZXNzYWdlIiwiZXhwIjoiMjAyMi0wMS0wMVQwMDowMDowMCswMDowMCJ9ZWrbGZ6L0MDK72skosUaS0Dz7wJ_2bMcM6tOxFuCasO9GhwHrvvchqgXQNLQQyWzGC2wkr-VKII71AvkLpC8tJOrzJV1cap9NRwoFzbcXjzMZyxQ0wkshxZxx8ImmNWP.eyJraWQiOiJkWWtJU3lseFFlZWNFY0hFTGZ6Rjg4VVpyd2JMb2xOaUNkcHpVSEd3OVVxbiJ9';

/** A key that cargo generated, its public half, and a token that cargo signed with it. */
const CARGO_SECRET = 'k3.secret.5tNLG8tDz-xY6vjzfklQBhvzgl4Nb9o386Mty9ms0bjEvhPXPhO9Z8DomMGY4Ki6';
const CARGO_PUBLIC = 'k3.public.Axt7wFTrk9GOZpcLFf4dfn_DzSjy5kLPqWXDawpRorN9gYSnt2ZNKJrdVHZKpSaY5Q';
const CARGO_TOKEN =
  'v3.public.eyJpYXQiOiIyMDI2LTExLTIxVDE4OjA5OjQ0LjcwOTYxMTM0N1oiLCJzdWIiOiIiLCJtdXRhdGlvbiI6InlhbmsiLCJuYW1lIjoiYSIsInZlcnMiOiIxLjAuMCJ9cBbV8g-zvpiyzAcOCX3Y7wbQ8zNTi71Uc-mlJxCBcXB6PreHvsKcEEx8y09q-OVPxZohbCLHcb0Ak3xIlb47X8SBwZHeS_tVLEjp9yr2R54PYm0OEVZsGfQpdH8CxZ-s.eyJ1cmwiOiJzcGFyc2UraHR0cDovLzEyNy4wLjAuMTo3OTMxL2luZGV4LyIsImtpcCI6ImszLnBpZC5xWkNFTkFDT2NXYWI2azFsb1VpR1duaHpQSTNjMnBKd0hEUzFmMjRVcXdJUCJ9';

const paserk = (kind: string, digits: string): string =>
  `k3.${kind}.${Buffer.from(digits, 'hex').toString('base64url')}`;

describe('a token key', () => {
  it('has the public half that belongs to its secret', () => {
    const key = readTokenKey(new Secret(paserk('secret', VECTOR_SECRET)));
    expect(key.publicText).toBe(paserk('public', VECTOR_PUBLIC));
    expect(readTokenKey(new Secret(CARGO_SECRET)).publicText).toBe(CARGO_PUBLIC);
  });

  it('has the id that cargo writes into its tokens', () => {
    const { footer } = verifyToken(CARGO_TOKEN, CARGO_PUBLIC) ?? { footer: '' };
    expect(footer).toContain(`"kip":"${readTokenKey(new Secret(CARGO_SECRET)).id}"`);
  });

  it('is different each time it is generated', () => {
    const [one, two] = [makeTokenKey(), makeTokenKey()];
    expect(one.expose()).toMatch(/^k3\.secret\.[\w-]{64}$/);
    expect(readTokenKey(one).id).not.toBe(readTokenKey(two).id);
  });

  it.each([
    ['', 'failed to load private key', 'PaserkParsing'],
    ['k3.secret.', 'failed to load private key', 'PaserkParsing'],
    ['k3.secret.abc', 'failed to load private key', 'PaserkParsing'],
    [`k3.secret.${'_'.repeat(60)}==`, 'failed to load private key', 'Base64'],
    ['k3.secret.a.b', 'failed to load private key', 'PaserkParsing'],
    [CARGO_PUBLIC, 'failed to load private key', 'PaserkParsing'],
    [`k3.secret.${'A'.repeat(64)}`, 'failed to load public key from private key', 'Key'],
    [`k3.secret.${'_'.repeat(64)}`, 'failed to load public key from private key', 'Key'],
  ])('is refused with the message of cargo: %s', (text, message, reason) => {
    let error: unknown;
    try {
      readTokenKey(new Secret(text));
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ message, cause: { message: reason } });
  });
});

describe('tokens', () => {
  const payload = '{"iat":"2026-11-21T18:09:44Z","name":"a"}';
  const footer = '{"url":"https://x/","kip":"k3.pid.x"}';

  it('are valid if they are from the test vectors, cargo or tsreg', () => {
    expect(verifyToken(VECTOR_TOKEN, paserk('public', VECTOR_PUBLIC))?.payload).toEqual({
      data: 'this is a signed message',
      exp: '2022-01-01T00:00:00+00:00',
    });
    expect(verifyToken(CARGO_TOKEN, CARGO_PUBLIC)?.payload).toMatchObject({
      mutation: 'yank',
      vers: '1.0.0',
    });
    const token = signToken({ payload, footer }, readTokenKey(new Secret(CARGO_SECRET)));
    expect(verifyToken(token, CARGO_PUBLIC)).toEqual({ payload: JSON.parse(payload), footer });
  });

  it('are valid only with their own key, payload and footer', () => {
    const token = signToken({ payload, footer }, readTokenKey(makeTokenKey()));
    expect(verifyToken(token, CARGO_PUBLIC)).toBeNull();
    const good = signToken({ payload, footer }, readTokenKey(new Secret(CARGO_SECRET)));
    const [head, tail] = [good.slice(0, 20), good.slice(21)];
    expect(verifyToken(`${head}${good[20] === 'A' ? 'B' : 'A'}${tail}`, CARGO_PUBLIC)).toBeNull();
    expect(verifyToken(good.replace(/\.[^.]*$/, '.e30'), CARGO_PUBLIC)).toBeNull();
  });
});

describe('arguments after `login --`', () => {
  it.each([
    [[], null],
    [['--key-subject', 'me'], 'me'],
    [['--key-subject=me'], 'me'],
    [['--key-subject='], ''],
    [['--key-subject', '-', '--'], '-'],
  ])('are parsed: %j', (args, subject) => {
    expect(keySubjectOf(args)).toBe(subject);
  });

  it.each([
    [['x'], "unexpected argument 'x' found\n\nUsage: cargo:paseto [OPTIONS]"],
    [['--key-subject', '-x'], "unexpected argument '-x' found"],
    [['--key-subject'], "a value is required for '--key-subject <SUBJECT>' but none was supplied"],
    [['--key-subject=a', '--key-subject', 'b'], "'--key-subject <SUBJECT>' cannot be used multiple times"],
    [['--help'], 'Options:\n      --key-subject <SUBJECT>'],
    [['-hx'], 'Options:\n      --key-subject <SUBJECT>'],
    [['-xh'], "unexpected argument '-x' found\n\nUsage: cargo:paseto [OPTIONS]"],
    [
      ['--key-subjct'],
      "unexpected argument '--key-subjct' found\n\n  tip: a similar argument exists: '--key-subject'\n\nUsage: cargo:paseto --key-subject <SUBJECT>\n",
    ],
    [
      ['--key-subject=a', '--hel'],
      "tip: a similar argument exists: '--help'\n\nUsage: cargo:paseto --key-subject <SUBJECT> --help\n",
    ],
    [['--key-subject', 'a', '--bogus'], "'--bogus' found\n\nUsage: cargo:paseto --key-subject <SUBJECT>\n"],
    [
      ['--help=1'],
      "unexpected value '1' for '--help' found; no more were expected\n\nUsage: cargo:paseto --help\n",
    ],
    [['--', 'x'], "unexpected argument 'x' found"],
  ])('are refused: %j', (args, message) => {
    expect(() => keySubjectOf(args)).toThrow(message);
  });
});
