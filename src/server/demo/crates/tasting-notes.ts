import { DEMO_COLLEAGUE } from '../demo-users.ts';
import type { SampleCrate } from '../sample-crate.ts';

/** The crate that is not yet stable. */
export const TASTING_NOTES: SampleCrate = {
  name: 'tasting-notes',
  description: 'Collects notes about teas, and finds the favourite one',
  owner: DEMO_COLLEAGUE.login,
  keywords: ['tea', 'notes'],
  categories: ['text-processing'],
  dependencies: [
    { name: 'leaf', versionReq: '^1.0' },
    { name: 'mug', versionReq: '^1.0', kind: 'dev' },
  ],
  features: {},
  readme: `\`\`\`rust
use leaf::Leaf;
use tasting_notes::Notes;

let mut notes = Notes::default();
notes.add(Leaf::Green, 3, "grassy");
notes.add(Leaf::Oolong, 5, "roasted, long finish");
assert_eq!(notes.favourite(), Some(Leaf::Oolong));
\`\`\`

The interface may still change before 1.0.
`,
  source: 'src/lib.rs',
  code: `//! Collects notes about teas, and finds the favourite one.

use leaf::Leaf;

/// A note about a tea.
#[derive(Clone, Debug)]
pub struct Note {
    pub leaf: Leaf,
    /// From 1 to 5.
    pub stars: u8,
    pub text: String,
}

/// Notes, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Notes(Vec<Note>);

impl Notes {
    /// Adds a note.
    pub fn add(&mut self, leaf: Leaf, stars: u8, text: &str) {
        self.0.push(Note { leaf, stars: stars.clamp(1, 5), text: text.to_owned() });
    }

    /// Returns the tea with the most stars; none without notes.
    pub fn favourite(&self) -> Option<Leaf> {
        self.0.iter().max_by_key(|note| note.stars).map(|note| note.leaf)
    }
}
`,
  releases: [
    { version: '0.1.0', daysAgo: 130, downloads: 84, change: 'First release.' },
    { version: '0.2.0', daysAgo: 19, downloads: 137, change: 'Find the favourite tea.' },
  ],
};
