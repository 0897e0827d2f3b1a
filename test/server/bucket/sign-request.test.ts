import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  encodeKey,
  type Signer,
  signHeaders,
  signQuery,
  type UnsignedRequest,
} from '../../../src/server/bucket/sign-request.ts';

// The examples of "Authenticating Requests (AWS Signature Version 4)" in the Amazon S3 API Reference.
const S3: Signer = {
  credentials: {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    sessionToken: null,
  },
  region: 'us-east-1',
  service: 's3',
  atMs: Date.UTC(2013, 4, 24),
};
const HOST = 'examplebucket.s3.amazonaws.com';
const EMPTY = createHash('sha256').digest('hex');

function signatureOf(request: Partial<UnsignedRequest>, signer: Signer = S3): string {
  const payloadHash = request.payloadHash ?? EMPTY;
  const whole = { method: 'GET', host: HOST, path: '/', query: [], headers: {}, ...request, payloadHash };
  const isS3 = signer.service === 's3';
  const headers = isS3 ? { ...whole.headers, 'x-amz-content-sha256': payloadHash } : whole.headers;
  const { authorization = '' } = signHeaders({ ...whole, headers }, signer);
  return authorization.slice(authorization.indexOf('Signature=') + 'Signature='.length);
}

it('signs a GET request with a range', () => {
  const request = { path: '/test.txt', headers: { range: 'bytes=0-9' } };
  expect(signatureOf(request)).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41');
});

it('signs a PUT request with an escaped key', () => {
  const request = {
    method: 'PUT',
    path: `/${encodeKey('test$file.text')}`,
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    payloadHash: createHash('sha256').update('Welcome to Amazon S3.').digest('hex'),
  };
  expect(signatureOf(request)).toBe('98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd');
});

it('signs a query parameter without a value, and those of a list request', () => {
  expect(signatureOf({ query: [['lifecycle', '']] })).toBe(
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  );
  const query = [
    ['max-keys', '2'],
    ['prefix', 'J'],
  ] as const;
  expect(signatureOf({ query })).toBe('34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7');
});

it('signs a URL', () => {
  const request = { method: 'GET', host: HOST, path: '/test.txt', query: [], headers: {} };
  expect(signQuery(request, S3, { expiresInSeconds: 86_400 })).toBe(
    [
      'X-Amz-Algorithm=AWS4-HMAC-SHA256',
      'X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request',
      'X-Amz-Date=20130524T000000Z',
      'X-Amz-Expires=86400',
      'X-Amz-SignedHeaders=host',
      'X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    ].join('&'),
  );
});

// The official test suite of Signature Version 4.
const SUITE: Signer = {
  credentials: {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    sessionToken: null,
  },
  region: 'us-east-1',
  service: 'service',
  atMs: Date.UTC(2015, 7, 30, 12, 36),
};

it.each([
  ['get-vanilla', {}, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['post-vanilla', { method: 'POST' }, '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'get-vanilla-query-order-key-case',
    {
      query: [
        ['Param2', 'value2'],
        ['Param1', 'value1'],
      ],
    },
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
] as const)('signs %s of the test suite', (_name, request, signature) => {
  expect(signatureOf({ host: 'example.amazonaws.com', ...request }, SUITE)).toBe(signature);
});

it('includes a session token in the signature', () => {
  const signer = { ...S3, credentials: { ...S3.credentials, sessionToken: 'a+b/c' } };
  const request = { method: 'GET', host: HOST, path: '/', query: [], headers: {}, payloadHash: EMPTY };
  const headers = signHeaders(request, signer);
  expect(headers['x-amz-security-token']).toBe('a+b/c');
  expect(headers['authorization']).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token,');
  expect(signQuery(request, signer, { expiresInSeconds: 1 })).toContain('X-Amz-Security-Token=a%2Bb%2Fc&');
});
