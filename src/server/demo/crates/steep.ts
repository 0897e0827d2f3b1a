import { DEMO_ADMIN, DEMO_COLLEAGUE } from '../demo-users.ts';
import type { SampleCrate } from '../sample-crate.ts';

/** The crate with two owners. */
export const STEEP: SampleCrate = {
  name: 'steep',
  description: 'A timer that takes the leaves out of the water in time',
  owner: DEMO_ADMIN.login,
  coOwner: DEMO_COLLEAGUE.login,
  keywords: ['tea', 'timer'],
  categories: ['date-and-time'],
  dependencies: [{ name: 'leaf', versionReq: '^1.0' }],
  features: {},
  readme: `\`\`\`rust
use leaf::Leaf;
use steep::Steep;

let steep = Steep::new(Leaf::Black);
std::thread::sleep(steep.remaining());
assert!(steep.is_done());
\`\`\`

A \`Steep\` starts when it is created. It needs no thread of its own.
`,
  source: 'src/lib.rs',
  code: `//! A timer that takes the leaves out of the water in time.

use std::time::{Duration, Instant};

use leaf::Leaf;

/// Leaves in hot water.
#[derive(Clone, Debug)]
pub struct Steep {
    leaf: Leaf,
    started: Instant,
}

impl Steep {
    /// Puts leaves into the water now.
    pub fn new(leaf: Leaf) -> Self {
        Self { leaf, started: Instant::now() }
    }

    /// Returns how long the leaves must stay in the water from the start.
    pub fn duration(&self) -> Duration {
        Duration::from_secs(u64::from(self.leaf.minutes()) * 60)
    }

    /// Returns how long the leaves must still stay.
    pub fn remaining(&self) -> Duration {
        self.duration().saturating_sub(self.started.elapsed())
    }

    /// Returns true if it is time to take the leaves out.
    pub fn is_done(&self) -> bool {
        self.remaining().is_zero()
    }
}
`,
  releases: [
    { version: '0.2.0', daysAgo: 380, downloads: 195, change: 'First release.' },
    { version: '1.0.0', daysAgo: 240, downloads: 1630, change: 'Need no thread.' },
    { version: '1.0.1', daysAgo: 12, downloads: 402, change: 'Do not panic after the time is over.' },
  ],
};
