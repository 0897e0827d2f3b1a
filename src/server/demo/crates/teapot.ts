import { DEMO_ADMIN, DEMO_COLLEAGUE } from '../demo-users.ts';
import type { SampleCrate } from '../sample-crate.ts';

/** The crate with the most dependencies, one of them optional. */
export const TEAPOT: SampleCrate = {
  name: 'teapot',
  description: 'Brews tea, from the leaf to the mug',
  owner: DEMO_ADMIN.login,
  coOwner: DEMO_COLLEAGUE.login,
  keywords: ['tea', 'brewing', 'http-418'],
  categories: ['simulation'],
  dependencies: [
    { name: 'kettle', versionReq: '^1.0' },
    { name: 'leaf', versionReq: '^1.0' },
    { name: 'mug', versionReq: '^1.0', optional: true },
    { name: 'steep', versionReq: '^1.0' },
    { name: 'celsius', versionReq: '^1.1', kind: 'dev' },
  ],
  features: { serve: ['dep:mug'] },
  readme: `The whole way from the leaf to the mug, in one crate:

1. A \`kettle\` heats the water.
2. The \`leaf\` knows its temperature and its time.
3. \`steep\` takes it out again.
4. With the feature \`serve\`, the tea ends in a \`mug\`.

## Usage

\`\`\`toml
[dependencies]
teapot = { version = "1.2", features = ["serve"] }
\`\`\`

\`\`\`rust
use leaf::Leaf;
use teapot::Teapot;

let mut pot = Teapot::brew(Leaf::Oolong, 750);
let mug = pot.serve(250);
assert_eq!(mug.content(), 250);
\`\`\`

<details><summary>Why can it not brew coffee?</summary>

Because of section 2.3.2 of RFC 2324: such a request gets status 418.

</details>
`,
  source: 'src/lib.rs',
  code: `//! Brews tea, from the leaf to the mug.

use kettle::Kettle;
use leaf::Leaf;
use steep::Steep;

/// The response to a request for coffee, as in RFC 2324.
pub const IM_A_TEAPOT: u16 = 418;

/// A pot of tea.
#[derive(Clone, Debug)]
pub struct Teapot {
    kettle: Kettle,
    steep: Steep,
}

impl Teapot {
    /// Heats water for the leaf, and pours it over.
    pub fn brew(leaf: Leaf, millilitres: u32) -> Self {
        let mut kettle = Kettle::filled(millilitres);
        kettle.heat_to(leaf.temperature());
        Self { kettle, steep: Steep::new(leaf) }
    }

    /// Returns true if the tea has been in the water for long enough.
    pub fn is_ready(&self) -> bool {
        self.steep.is_done()
    }

    /// Pours tea out. Returns the amount in millilitres.
    pub fn pour(&mut self, millilitres: u32) -> u32 {
        self.kettle.pour(millilitres)
    }

    /// Pours tea into a new mug.
    #[cfg(feature = "serve")]
    pub fn serve(&mut self, millilitres: u32) -> mug::Mug {
        let mut mug = mug::Mug::new(millilitres);
        let poured = self.pour(millilitres);
        mug.fill(poured, self.kettle.temperature());
        mug
    }
}
`,
  releases: [
    { version: '0.8.0', daysAgo: 205, downloads: 388, change: 'First release.' },
    { version: '1.0.0', daysAgo: 150, downloads: 1422, change: 'The interface is stable.' },
    { version: '1.1.0', daysAgo: 88, downloads: 1288, change: 'Add the feature `serve`.' },
    { version: '1.2.0', daysAgo: 5, downloads: 640, change: 'Add the status of RFC 2324.' },
  ],
};
