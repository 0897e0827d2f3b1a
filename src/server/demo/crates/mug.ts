import { DEMO_ADMIN } from '../demo-users.ts';
import type { SampleCrate } from '../sample-crate.ts';

/** The crate for small examples. */
export const MUG: SampleCrate = {
  name: 'mug',
  description: 'Holds tea',
  owner: DEMO_ADMIN.login,
  keywords: ['tea', 'container'],
  categories: ['data-structures'],
  dependencies: [{ name: 'celsius', versionReq: '^1.0' }],
  features: { lid: [] },
  readme: `\`\`\`rust
use celsius::Celsius;
use mug::Mug;

let mut mug = Mug::new(250);
mug.fill(200, Celsius::new(85.0));
assert!(!mug.is_drinkable());
\`\`\`

With the feature \`lid\`, \`Mug::close\` keeps the tea warm.
`,
  source: 'src/lib.rs',
  code: `//! Holds tea.

use celsius::Celsius;

/// The temperature at which nobody burns their tongue.
const DRINKABLE: Celsius = Celsius::new(60.0);

/// A mug, which may be empty.
#[derive(Clone, Debug)]
pub struct Mug {
    capacity: u32,
    content: u32,
    temperature: Celsius,
    is_closed: bool,
}

impl Mug {
    /// Returns an empty mug for some millilitres.
    pub fn new(capacity: u32) -> Self {
        Self { capacity, content: 0, temperature: Celsius::new(20.0), is_closed: false }
    }

    /// Fills the mug. Returns how much did not fit.
    pub fn fill(&mut self, millilitres: u32, temperature: Celsius) -> u32 {
        let fitting = millilitres.min(self.capacity - self.content);
        self.content += fitting;
        self.temperature = temperature;
        millilitres - fitting
    }

    /// Returns the amount of tea in millilitres.
    pub fn content(&self) -> u32 {
        self.content
    }

    /// Returns true if there is tea that is neither too hot nor below a lid.
    pub fn is_drinkable(&self) -> bool {
        self.content > 0 && self.temperature <= DRINKABLE && !self.is_closed
    }

    /// Closes the lid.
    #[cfg(feature = "lid")]
    pub fn close(&mut self) {
        self.is_closed = true;
    }
}
`,
  releases: [
    { version: '0.1.0', daysAgo: 365, downloads: 260, change: 'First release.' },
    { version: '1.0.0', daysAgo: 210, downloads: 1904, change: 'Return what did not fit.' },
    { version: '1.1.0', daysAgo: 48, downloads: 933, change: 'Add the feature `lid`.' },
  ],
};
