/** The colours of the pages in both colour schemes. Those of links and buttons derive from the operator's accent. */
import { type Colour, contrastOf, formatColour, mixColours } from '../../../shared/colour.ts';

/** How finely `readableTone` searches. */
const STEPS = 40;

/** The colours of a scheme that the accent must suit. */
interface Scheme {
  /** Behind everything. */
  readonly ground: Colour;
  /** Behind cards. */
  readonly card: Colour;
  /** Behind code and table heads. */
  readonly raised: Colour;
  /** Of text. */
  readonly ink: Colour;
  /** The contrast of the accent's tone: at least the 4.5 of WCAG 2.2, 1.4.3. */
  readonly contrast: number;
  /** The share of the accent in tinted areas. */
  readonly tint: number;
  /** Further CSS variables, none of which depends on the accent. */
  readonly more: string;
}

const LIGHT: Scheme = {
  ground: [250, 251, 252],
  card: [255, 255, 255],
  raised: [243, 245, 248],
  ink: [24, 29, 39],
  contrast: 4.5,
  tint: 0.08,
  more: `--line: #dfe3ea; --edge: #7b8494; --quiet: #545e6d;
  --bad: #b3261e; --bad-ground: #fdeeec; --bad-line: #f0bdb8;
  --good: #1a6834; --good-ground: #e8f6ed; --good-line: #b4dcc2;
  --mark: #845500; --mark-ground: #fff5df; --mark-line: #ecd4a0;
  --shadow: 0 1px 2px rgb(16 24 40 / 6%), 0 1px 3px rgb(16 24 40 / 8%);`,
};

const DARK: Scheme = {
  ground: [15, 18, 24],
  card: [22, 26, 34],
  raised: [31, 36, 46],
  ink: [230, 233, 239],
  // Coloured text on dark ground looks dim with the least contrast.
  contrast: 6,
  tint: 0.14,
  more: `--line: #2d3440; --edge: #7d8798; --quiet: #a3adbb;
  --bad: #ff9d94; --bad-ground: #371c1b; --bad-line: #6d322e;
  --good: #8fd6a4; --good-ground: #152c1e; --good-line: #2c5a3c;
  --mark: #f2c46d; --mark-ground: #332810; --mark-line: #665021;
  --shadow: 0 1px 2px rgb(0 0 0 / 40%);`,
};

/** Returns the CSS variables of both colour schemes for an accent. */
export function paletteCss(accent: Colour): string {
  return `:root {
  color-scheme: light dark;
${variablesOf(LIGHT, accent)}
}
@media (prefers-color-scheme: dark) {
:root {
${variablesOf(DARK, accent)}
}
}
`;
}

function variablesOf(scheme: Scheme, accent: Colour): string {
  const { ground, card, raised, ink, contrast } = scheme;
  const soft = mixColours(card, accent, scheme.tint);
  const tone = readableTone(accent, { ink, contrast, grounds: [ground, card, raised, soft] });
  const colours = { ground, card, raised, ink, soft, accent: tone, 'on-accent': card };
  const lines = Object.entries(colours).map(([name, colour]) => `  --${name}: ${formatColour(colour)};`);
  return `${lines.join('\n')}
  --soft-line: ${formatColour(mixColours(card, accent, 3 * scheme.tint))};
  ${scheme.more}`;
}

/**
 * Returns the tone of `accent` with the given contrast on all `grounds`: the colour itself if possible, otherwise with
 * as little of `ink` as necessary. `ink` must have more contrast.
 */
export function readableTone(
  accent: Colour,
  {
    ink,
    contrast,
    grounds,
  }: { readonly ink: Colour; readonly contrast: number; readonly grounds: readonly Colour[] },
): Colour {
  for (let step = 0; step < STEPS; step += 1) {
    const tone = mixColours(accent, ink, step / STEPS);
    if (grounds.every((ground) => contrastOf(tone, ground) >= contrast)) return tone;
  }
  return ink;
}
