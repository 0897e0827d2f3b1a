import { createHash } from 'node:crypto';
import type { Bucket } from '../bucket/bucket.ts';
import type { StaticFiles } from '../store/static-records.ts';

const STATIC = 'static/';

/** Returns the files at `static/…` of a bucket. `pathOfBlob` returns a blob's path in the bucket. */
export function bucketStaticFiles(bucket: Bucket, pathOfBlob: (key: string) => string): StaticFiles {
  return {
    read: (path) => bucket.getText(STATIC + path),
    async stat(path) {
      const info = await bucket.head(STATIC + path);
      return info === null ? null : { size: info.size, etag: info.etag };
    },
    async write(path, text, { etag, contentType, cacheControl, signal }) {
      const bytes = Buffer.from(text);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const content = { size: bytes.length, sha256, open: () => bytes };
      return await bucket.put(STATIC + path, content, {
        contentType,
        cacheControl,
        condition: { etag },
        ...(signal === undefined ? {} : { signal }),
      });
    },
    copyBlob: (key, path) => bucket.copy(pathOfBlob(key), STATIC + path),
    delete: (path) => bucket.delete(STATIC + path),
    async *list(folder) {
      for await (const { key, size } of bucket.list(STATIC + folder)) {
        yield { path: key.slice(STATIC.length), size };
      }
    },
  };
}
