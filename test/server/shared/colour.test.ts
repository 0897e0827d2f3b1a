import { expect, it } from 'vitest';
import { contrastOf, formatColour, mixColours, parseColour } from '../../../src/server/shared/colour.ts';

it('parses and formats six hexadecimal digits', () => {
  expect(parseColour('#0F766e')).toEqual([15, 118, 110]);
  expect(formatColour([15, 118, 110])).toBe('#0f766e');
  for (const text of ['', '#fff', '0f766e', '#0f766e ', '#0f766g', '#0f766e00', 'red'])
    expect(parseColour(text), text).toBeNull();
});

it('mixes colours by share', () => {
  expect(mixColours([0, 100, 200], [100, 0, 200], 0)).toEqual([0, 100, 200]);
  expect(mixColours([0, 100, 200], [100, 0, 200], 0.25)).toEqual([25, 75, 200]);
  expect(mixColours([0, 100, 200], [100, 0, 200], 1)).toEqual([100, 0, 200]);
});

it('computes the contrast ratio of WCAG', () => {
  expect(contrastOf([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
  expect(contrastOf([255, 255, 255], [255, 255, 255])).toBe(1);
  // The lightest grey that is readable on white.
  expect(contrastOf([0x76, 0x76, 0x76], [255, 255, 255])).toBeCloseTo(4.54, 2);
});
