/** Entry points of worker threads that every program needs. A program looks them up next to its own file. */
export const COMMON_THREADS = { 'unpack-worker': 'src/io/sources/unpack-worker.ts' };

/** Entry points of the server's worker threads. */
export const SERVER_THREADS = {
  'key-worker': 'src/server/auth/key-worker.ts',
  'readme-worker': 'src/server/pages/readme/readme-worker.ts',
  'archive-worker': 'src/server/publish/archive-worker.ts',
};
