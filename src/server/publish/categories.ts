/** The categories of packages. Cargo Book: The Manifest Format, The categories field. */

/** Slugs of https://crates.io/category_slugs. An indented line has the children of the last line without indent. */
const TREE = `
accessibility
aerospace
  drones protocols simulation space-protocols unmanned-aerial-vehicles
algorithms
api-bindings
asynchronous
authentication
automotive
caching
command-line-interface
command-line-utilities
compilers
compression
computer-vision
concurrency
config
cryptography
  cryptocurrencies
data-structures
database
database-implementations
date-and-time
development-tools
  build-utils cargo-plugins debugging ffi procedural-macro-helpers profiling testing
email
embedded
emulators
encoding
external-ffi-bindings
filesystem
finance
game-development
game-engines
games
graphics
gui
hardware-support
internationalization
localization
mathematics
memory-management
multimedia
  audio encoding images video
network-programming
no-std
  no-alloc
os
  android-apis freebsd-apis linux-apis macos-apis unix-apis windows-apis
parser-implementations
parsing
rendering
  data-formats engine graphics-api
rust-patterns
science
  bioinformatics chemistry geo neuroscience quantum-computing robotics
security
simulation
template-engine
text-editors
text-processing
value-formatting
virtualization
visualization
wasm
web-programming
  http-client http-server websocket
`;

/** Complete slugs of deeper levels. */
const DEEPER = [
  ...['genomics', 'proteomics', 'sequence-analysis', 'structural'].map((slug) => `bioinformatics::${slug}`),
  ...['informatics', 'physical'].map((slug) => `chemistry::${slug}`),
].map((slug) => `science::${slug}`);

/** All slugs, such as `development-tools::ffi`. */
export const CATEGORY_SLUGS: ReadonlySet<string> = new Set([...expand(TREE), ...DEEPER]);

function* expand(tree: string): Generator<string, void, undefined> {
  let parent = '';
  for (const line of tree.trim().split('\n')) {
    if (line.startsWith(' ')) {
      for (const slug of line.trim().split(' ')) yield `${parent}::${slug}`;
    } else {
      parent = line;
      yield parent;
    }
  }
}
