import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CONTROL_STYLES } from '../../../../src/server/pages/assets/styles/controls.ts';
import { paletteCss, readableTone } from '../../../../src/server/pages/assets/styles/palette.ts';
import { type Colour, contrastOf, parseColour } from '../../../../src/server/shared/colour.ts';

const PART = fc.integer({ min: 0, max: 255 });

/** Returns the colours of the light and of the dark scheme, by the names of their CSS variables. */
function schemesOf(accent: Colour): readonly ReadonlyMap<string, Colour>[] {
  const schemes = paletteCss(accent)
    .split('@media')
    .map((css) => {
      const colours = new Map<string, Colour>();
      for (const [, name = '', value = ''] of css.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)) {
        const colour = parseColour(value);
        if (colour !== null) colours.set(name, colour);
      }
      return colours;
    });
  expect(schemes).toHaveLength(2);
  return schemes;
}

function contrastIn(scheme: ReadonlyMap<string, Colour>, one: string, other: string): number {
  const [text, ground] = [scheme.get(one), scheme.get(other)];
  if (text === undefined || ground === undefined) throw new Error(`no --${one} or no --${other}`);
  return contrastOf(text, ground);
}

it('makes links and buttons readable in both schemes, for every accent', () => {
  fc.assert(
    fc.property(fc.tuple(PART, PART, PART), (accent) => {
      for (const scheme of schemesOf(accent)) {
        for (const ground of ['ground', 'card', 'raised', 'soft'])
          expect(contrastIn(scheme, 'accent', ground)).toBeGreaterThanOrEqual(4.5);
        expect(contrastIn(scheme, 'on-accent', 'accent')).toBeGreaterThanOrEqual(4.5);
      }
    }),
  );
});

it('keeps buttons readable under the mouse, for every accent', () => {
  const brightness = Number(/filter: brightness\(([\d.]+)\)/.exec(CONTROL_STYLES)?.[1]);
  const filtered = ([red, green, blue]: Colour): Colour => {
    const part = (value: number): number => Math.min(value * brightness, 255);
    return [part(red), part(green), part(blue)];
  };
  fc.assert(
    fc.property(fc.tuple(PART, PART, PART), (accent) => {
      for (const scheme of schemesOf(accent)) {
        const hovered = new Map(Array.from(scheme, ([name, colour]) => [name, filtered(colour)]));
        expect(contrastIn(hovered, 'on-accent', 'accent')).toBeGreaterThanOrEqual(4.5);
      }
    }),
    { examples: [[[224, 255, 64]]] },
  );
});

it('makes text readable on every ground and tint, for every accent', () => {
  fc.assert(
    fc.property(fc.tuple(PART, PART, PART), (accent) => {
      for (const scheme of schemesOf(accent)) {
        for (const ground of ['ground', 'card', 'raised', 'soft'])
          for (const text of ['ink', 'quiet'])
            expect(contrastIn(scheme, text, ground)).toBeGreaterThanOrEqual(4.5);
        for (const kind of ['bad', 'good', 'mark'])
          expect(contrastIn(scheme, kind, `${kind}-ground`)).toBeGreaterThanOrEqual(4.5);
      }
    }),
  );
});

it('keeps an accent that is readable, and changes others no more than necessary', () => {
  const white: Colour = [255, 255, 255];
  const options = { ink: [0, 0, 0], contrast: 4.5, grounds: [white] } as const;
  expect(readableTone([0x34, 0x51, 0xb2], options)).toEqual([0x34, 0x51, 0xb2]);
  const tone = readableTone([255, 200, 0], options);
  expect(contrastOf(tone, white)).toBeGreaterThanOrEqual(4.5);
  expect(contrastOf(tone, white)).toBeLessThan(5);
});
