/** Estimates the width of texts in badges. */

/** Widths of the characters from space to `~` in Verdana, in thousandths of the font size. */
const WIDTHS = [
  352, 394, 459, 818, 636, 1076, 727, 269, 454, 454, 636, 818, 364, 454, 364, 454, 636, 636, 636, 636, 636,
  636, 636, 636, 636, 636, 454, 454, 818, 818, 818, 545, 1000, 684, 686, 698, 771, 632, 575, 775, 751, 421,
  455, 693, 557, 843, 748, 787, 603, 787, 695, 684, 616, 732, 684, 989, 685, 615, 685, 454, 454, 454, 818,
  636, 636, 601, 623, 521, 623, 596, 352, 623, 633, 274, 344, 592, 274, 973, 633, 607, 623, 623, 427, 521,
  394, 633, 592, 818, 592, 592, 525, 635, 454, 635, 818,
];
const FIRST_CHAR_CODE = 32;
/** Width of all other characters. */
const WIDEST = 1000;

/** Returns the width of a text in pixels, for Verdana and similar fonts of `fontSize` pixels. */
export function textWidth(text: string, fontSize: number): number {
  let thousandths = 0;
  for (const character of text) thousandths += WIDTHS[character.charCodeAt(0) - FIRST_CHAR_CODE] ?? WIDEST;
  return (thousandths * fontSize) / 1000;
}
