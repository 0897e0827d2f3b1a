// Packs FILE into CRATE and prints the result and the peak memory as JSON: pack-file.ts FILE CRATE
import { writeCrate } from '../../../src/io/archive/write-crate.ts';

const [file = '', crate = ''] = process.argv.slice(2);
const written = await writeCrate([{ path: 'file', content: { kind: 'copy', path: file } }], {
  path: crate,
  topFolder: 'large-1.0.0',
  signal: new AbortController().signal,
});
console.log(JSON.stringify({ ...written, peakKilobytes: process.resourceUsage().maxRSS }));
