import { DEMO_COLLEAGUE } from '../demo-users.ts';
import type { SampleCrate } from '../sample-crate.ts';

/** The crate on which most others depend. */
export const CELSIUS: SampleCrate = {
  name: 'celsius',
  description: 'Temperatures that cannot be mixed up with other numbers',
  owner: DEMO_COLLEAGUE.login,
  keywords: ['temperature', 'units', 'no-std'],
  categories: ['science', 'no-std'],
  dependencies: [],
  features: {},
  readme: `A temperature is not just a number: \`Celsius\` keeps degrees apart from minutes and millilitres.

## Usage

\`\`\`rust
use celsius::Celsius;

let water = Celsius::new(80.0);
assert!(water < Celsius::BOILING);
assert_eq!(water.to_fahrenheit(), 176.0);
println!("{water}"); // 80 °C
\`\`\`

The crate needs neither \`std\` nor other crates.

| constant | value |
|---|---|
| \`Celsius::FREEZING\` | 0 °C |
| \`Celsius::BOILING\` | 100 °C |
`,
  source: 'src/lib.rs',
  code: `//! Temperatures that cannot be mixed up with other numbers.
#![no_std]

use core::fmt;

/// A temperature in degrees Celsius.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Celsius(f64);

impl Celsius {
    /// The temperature at which water freezes.
    pub const FREEZING: Self = Self(0.0);
    /// The temperature at which water boils.
    pub const BOILING: Self = Self(100.0);

    /// Returns a temperature.
    pub const fn new(degrees: f64) -> Self {
        Self(degrees)
    }

    /// Returns the degrees as a number.
    pub const fn degrees(self) -> f64 {
        self.0
    }

    /// Returns the same temperature in degrees Fahrenheit.
    pub fn to_fahrenheit(self) -> f64 {
        self.0 * 9.0 / 5.0 + 32.0
    }
}

impl fmt::Display for Celsius {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} °C", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Celsius;

    #[test]
    fn converts_to_fahrenheit() {
        assert_eq!(Celsius::BOILING.to_fahrenheit(), 212.0);
    }
}
`,
  releases: [
    { version: '1.0.0', daysAgo: 612, downloads: 1840, change: 'First release.' },
    { version: '1.1.0', daysAgo: 420, downloads: 5210, change: 'Convert to Fahrenheit.' },
    { version: '1.2.0', daysAgo: 96, downloads: 8365, change: 'Work without the standard library.' },
  ],
};
