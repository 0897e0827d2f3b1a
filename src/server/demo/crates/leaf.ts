import { teamLogin } from '../../store/team-login.ts';
import { DEMO_ADMIN, DEMO_TEAM } from '../demo-users.ts';
import type { SampleCrate } from '../sample-crate.ts';

/** The crate with a yanked version. */
export const LEAF: SampleCrate = {
  name: 'leaf',
  description: 'Kinds of tea, with the temperature and the time that each one needs',
  owner: DEMO_ADMIN.login,
  coOwner: teamLogin(DEMO_TEAM),
  keywords: ['tea', 'data'],
  categories: ['data-structures'],
  dependencies: [{ name: 'celsius', versionReq: '^1.0' }],
  features: {},
  readme: `Every kind of tea needs water of its own temperature, and its own time.

\`\`\`rust
use leaf::Leaf;

let leaf: Leaf = "oolong".parse()?;
println!("{} minutes at {}", leaf.minutes(), leaf.temperature());
\`\`\`

## The kinds

| kind | water | time |
|---|---:|---:|
| green | 75 °C | 2 minutes |
| white | 80 °C | 4 minutes |
| oolong | 90 °C | 3 minutes |
| black | 100 °C | 4 minutes |
| herbal | 100 °C | 8 minutes |

> Do not use 0.4.0: it brews black tea at 75 °C.
`,
  source: 'src/lib.rs',
  code: `//! Kinds of tea, with the temperature and the time that each one needs.

use std::{error::Error, fmt, str::FromStr};

use celsius::Celsius;

/// A kind of tea.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    Green,
    White,
    Oolong,
    Black,
    Herbal,
}

impl Leaf {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Green, Self::White, Self::Oolong, Self::Black, Self::Herbal];

    /// Returns the name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Green => "green",
            Self::White => "white",
            Self::Oolong => "oolong",
            Self::Black => "black",
            Self::Herbal => "herbal",
        }
    }

    /// Returns the temperature of the water.
    pub fn temperature(self) -> Celsius {
        match self {
            Self::Green => Celsius::new(75.0),
            Self::White => Celsius::new(80.0),
            Self::Oolong => Celsius::new(90.0),
            Self::Black | Self::Herbal => Celsius::new(100.0),
        }
    }

    /// Returns the time in the water.
    pub fn minutes(self) -> u32 {
        match self {
            Self::Green => 2,
            Self::Oolong => 3,
            Self::White | Self::Black => 4,
            Self::Herbal => 8,
        }
    }
}

/// The name of no kind of tea.
#[derive(Debug)]
pub struct UnknownLeaf(String);

impl fmt::Display for UnknownLeaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no tea is called {:?}", self.0)
    }
}

impl Error for UnknownLeaf {}

impl FromStr for Leaf {
    type Err = UnknownLeaf;

    fn from_str(text: &str) -> Result<Self, UnknownLeaf> {
        Self::ALL
            .into_iter()
            .find(|leaf| leaf.name() == text)
            .ok_or_else(|| UnknownLeaf(text.to_owned()))
    }
}
`,
  releases: [
    { version: '0.3.0', daysAgo: 590, downloads: 310, change: 'First release.' },
    {
      version: '0.4.0',
      daysAgo: 431,
      downloads: 58,
      change: 'Add white tea.',
      yanked: { daysAgo: 429, reason: 'brews black tea at 75 °C; use 1.0' },
    },
    { version: '1.0.0', daysAgo: 428, downloads: 2970, change: 'Brew black tea at 100 °C.' },
    { version: '1.1.0', daysAgo: 71, downloads: 3644, change: 'Add herbal tea.' },
  ],
};
