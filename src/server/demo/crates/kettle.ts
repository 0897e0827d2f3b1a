import { teamLogin } from '../../store/team-login.ts';
import { DEMO_COLLEAGUE, DEMO_TEAM } from '../demo-users.ts';
import type { SampleCrate } from '../sample-crate.ts';

/** The crate with a release candidate and a default feature. */
export const KETTLE: SampleCrate = {
  name: 'kettle',
  description: 'Heats water to an exact temperature, and whistles',
  owner: DEMO_COLLEAGUE.login,
  coOwner: teamLogin(DEMO_TEAM),
  keywords: ['tea', 'water', 'temperature'],
  categories: ['hardware-support'],
  dependencies: [{ name: 'celsius', versionReq: '^1.1' }],
  features: { default: ['whistle'], whistle: [] },
  readme: `\`\`\`rust
use celsius::Celsius;
use kettle::Kettle;

let mut kettle = Kettle::filled(500);
kettle.heat_to(Celsius::new(90.0));
assert_eq!(kettle.temperature().degrees(), 90.0);
\`\`\`

## Features

- \`whistle\` (on by default): \`Kettle::sound\` returns a sound when the water boils. Turn it off in libraries for
  people who get up early.
`,
  source: 'src/lib.rs',
  code: `//! Heats water to an exact temperature, and whistles.

use celsius::Celsius;

/// A kettle with water.
#[derive(Clone, Debug)]
pub struct Kettle {
    millilitres: u32,
    temperature: Celsius,
}

impl Kettle {
    /// Returns a kettle with cold water.
    pub fn filled(millilitres: u32) -> Self {
        Self { millilitres, temperature: Celsius::new(15.0) }
    }

    /// Heats the water, at most until it boils. Never cools it.
    pub fn heat_to(&mut self, target: Celsius) {
        let target = if target > Celsius::BOILING { Celsius::BOILING } else { target };
        if target > self.temperature {
            self.temperature = target;
        }
    }

    /// Returns the temperature of the water.
    pub fn temperature(&self) -> Celsius {
        self.temperature
    }

    /// Pours water out, at most as much as there is. Returns the amount in millilitres.
    pub fn pour(&mut self, millilitres: u32) -> u32 {
        let poured = millilitres.min(self.millilitres);
        self.millilitres -= poured;
        poured
    }

    /// Returns the sound of boiling water.
    #[cfg(feature = "whistle")]
    pub fn sound(&self) -> Option<&'static str> {
        (self.temperature >= Celsius::BOILING).then_some("wheeee")
    }
}
`,
  releases: [
    { version: '0.9.0', daysAgo: 402, downloads: 720, change: 'First release.' },
    { version: '1.0.0-rc.1', daysAgo: 330, downloads: 41, change: 'Never cool the water.' },
    { version: '1.0.0', daysAgo: 318, downloads: 2480, change: 'The interface is stable.' },
    { version: '1.0.1', daysAgo: 33, downloads: 1175, change: 'Pour no more water than there is.' },
  ],
};
