import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/io/config/secret.ts';
import { type CredentialEdit, editCredentials } from '../../../src/io/credentials/edit-credentials.ts';

const TEXT = `# a comment
zeta = ["a", 'b"c', """
multi
line"""]
alpha = { b = 1, a = "x" }
[unset]
q = [ { a = 1 }, { b = [1,2] } ]
"odd key" = "tab\\there"
e = []
[registries.other]
token = "o"
[registries.mock]
token = "abc"
x.y.z = true
[[arr]]
n = 1
[[arr]]
n = 2
[registry]
token = "r"
`;

const logout = (registry: string | null): CredentialEdit => ({ registry, credential: { kind: 'none' } });
const login = (registry: string | null, token: string): CredentialEdit => ({
  registry,
  credential: { kind: 'token', token: new Secret(token) },
});

describe('editCredentials', () => {
  it('removes a token and formats the rest as cargo does', () => {
    expect(editCredentials(TEXT, logout('mock'))).toBe(`zeta = ["a", 'b"c', """
multi
line"""]

[alpha]
b = 1
a = "x"

[unset]
"odd key" = "tab\\there"
e = []

[[unset.q]]
a = 1

[[unset.q]]
b = [1, 2]

[registries.other]
token = "o"

[registries.mock.x.y]
z = true

[[arr]]
n = 1

[[arr]]
n = 2

[registry]
token = "r"
`);
  });

  it('moves the tables of registries to the end when it stores a token', () => {
    const text = '[registries.other]\ntoken = "o"\n[registries.mock]\nindex = "i"\n[zoo]\na = 1\n';
    expect(editCredentials(text, login('mock', 't'))).toBe(
      '[zoo]\na = 1\n\n[registries.other]\ntoken = "o"\n\n[registries.mock]\nindex = "i"\ntoken = "t"\n',
    );
  });

  it('creates missing tables, and keeps the table of a removed token', () => {
    expect(editCredentials('', login(null, 'a'))).toBe('[registry]\ntoken = "a"\n');
    expect(editCredentials('', login('mock', 'a"b\\c\'d'))).toBe(
      `[registries.mock]\ntoken = '''a"b\\c'd'''\n`,
    );
    expect(editCredentials('[registries.mock]\ntoken = "x"\n', logout('mock'))).toBe('[registries.mock]\n');
    expect(editCredentials('', logout('mock'))).toBe('');
  });

  it('moves the top-level token of very old files into `[registry]`', () => {
    expect(editCredentials('token = "old"\n', login('mock', 't'))).toBe(
      '[registry]\ntoken = "old"\n\n[registries.mock]\ntoken = "t"\n',
    );
    expect(editCredentials('token = "old"\n[registry]\nother = 1\n', logout(null))).toBe(
      '[registry]\nother = 1\n',
    );
  });

  it('stores a secret key and its subject, and removes both', () => {
    const credential = { kind: 'secret-key', key: new Secret('k3.secret.x'), subject: 'me' } as const;
    const text = editCredentials('', { registry: 'mock', credential });
    expect(text).toBe('[registries.mock]\nsecret-key = "k3.secret.x"\nsecret-key-subject = "me"\n');
    expect(editCredentials(text, logout('mock'))).toBe('[registries.mock]\n');
  });

  it('refuses values in place of tables, and hides values in TOML errors', () => {
    expect(() => editCredentials('registries.mock = "x"\n', logout('mock'))).toThrow(
      'expected `[registries.mock]` to be a table',
    );
    expect(() => editCredentials('[registry]\ntoken = "hidden\n', logout(null))).toThrow(
      /2 \| token = "\*{6}\n/,
    );
  });
});
