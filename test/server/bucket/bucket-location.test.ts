import { describe, expect, it } from 'vitest';
import { parseBucketLocation } from '../../../src/server/bucket/bucket-location.ts';

describe('the URL of a bucket', () => {
  it('points to Amazon S3 unless it names an endpoint', () => {
    expect(parseBucketLocation('s3://crates', {})).toEqual({
      ...{ bucket: 'crates', prefix: '', region: 'us-east-1', basePath: '' },
      origin: 'https://crates.s3.us-east-1.amazonaws.com',
    });
    expect(parseBucketLocation('s3://crates/a/b/?region=eu-west-3&path-style=true', {})).toEqual({
      ...{ bucket: 'crates', prefix: 'a/b/', region: 'eu-west-3', basePath: '/crates' },
      origin: 'https://s3.eu-west-3.amazonaws.com',
    });
    expect(parseBucketLocation('s3://dotted.name', { AWS_REGION: 'cn-north-1' })).toMatchObject({
      ...{ origin: 'https://s3.cn-north-1.amazonaws.com.cn', basePath: '/dotted.name' },
    });
  });

  it('gets endpoint and region from the AWS variables unless it names them itself', () => {
    const env = {
      ...{ AWS_ENDPOINT_URL: 'http://other', AWS_ENDPOINT_URL_S3: 'http://store:9000/s3/' },
      ...{ AWS_DEFAULT_REGION: 'second', AWS_REGION: 'first' },
    };
    expect(parseBucketLocation('s3://crates/x', env)).toEqual({
      ...{ bucket: 'crates', prefix: 'x/', region: 'first', basePath: '/s3/crates' },
      origin: 'http://store:9000',
    });
    const own = 's3://crates?endpoint=https://here:1&region=mine&path-style=false';
    expect(parseBucketLocation(own, env)).toMatchObject({
      ...{ origin: 'https://crates.here:1', basePath: '', region: 'mine' },
    });
  });

  it.each([
    ['s3://', 'the name of the bucket is not valid'],
    ['s3://b', 'the name of the bucket is not valid'],
    ['s3://crates/a//b', 'a prefix may contain'],
    ['s3://crates/a%20b', 'a prefix may contain'],
    ['s3://crates?secret=geheim', 'expected each of'],
    ['s3://crates?region=a&region=b', 'expected each of'],
    ['s3://crates?path-style=yes', '`path-style` must be'],
    ['s3://crates?endpoint=here:9000', 'the endpoint is not an address'],
    ['s3://crates?endpoint=http://key:geheim@here', 'must not contain credentials'],
    ['s3://key:geheim@crates', 'keys are not allowed here'],
    ['s3://crates?region=eu/west', 'the name of the region is not valid'],
  ])('is refused without showing its secrets: %s', (url, reason) => {
    let message = '';
    try {
      parseBucketLocation(url, {});
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain(reason);
    expect(message).not.toContain('geheim');
  });
});
