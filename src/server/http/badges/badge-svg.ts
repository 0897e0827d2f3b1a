/** Draws badges: small images with a label and a value. */
import { textWidth } from './text-width.ts';

/** Colours of the value. White text on each of them has a contrast of at least 5:1. */
const COLOURS = { blue: '#1f6fb2', orange: '#a34a00', grey: '#5c6470' } as const;
const LABEL_COLOUR = '#3b424d';
const FONT_SIZE = 11;
const HEIGHT = 20;
/** Space on each side of a text. */
const PADDING = 6;

/** A badge. */
export interface Badge {
  readonly label: string;
  readonly value: string;
  readonly colour: keyof typeof COLOURS;
}

/** Returns a badge as SVG. It has no scripts and styles, and loads nothing. */
export function drawBadge({ label, value, colour }: Badge): string {
  const [left, right] = [partOf(label, 0), partOf(value, widthOf(label))];
  const width = left.width + right.width;
  const title = escapeXml(`${label}: ${value}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="4"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left.width}" height="${HEIGHT}" fill="${LABEL_COLOUR}"/>`,
    `<rect x="${left.width}" width="${right.width}" height="${HEIGHT}" fill="${COLOURS[colour]}"/></g>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="${FONT_SIZE}">`,
    left.text,
    right.text,
    '</g></svg>\n',
  ].join('');
}

function widthOf(text: string): number {
  return Math.ceil(textWidth(text, FONT_SIZE)) + 2 * PADDING;
}

/** Returns one half. `textLength` makes other fonts fit. */
function partOf(text: string, x: number): { readonly width: number; readonly text: string } {
  const width = widthOf(text);
  const length = width - 2 * PADDING;
  return {
    width,
    text: `<text x="${x + PADDING}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text>`,
  };
}

function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
