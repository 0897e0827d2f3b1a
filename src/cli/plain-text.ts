/** Text of others between styles of ours. */
import { stripStyles } from './style.ts';

/** The text without anything that steers a terminal. Line breaks stay. */
export function harmlessText(text: string): string {
  // Terminals take these for the beginnings of sequences, too.
  return stripStyles(text).replaceAll(/[\u0080-\u009f]/g, '');
}

/** The text without anything that steers a terminal or turns the direction of text, in one line. */
export function plainText(text: string): string {
  return harmlessText(text)
    .replaceAll(/[\n\r\f\v\u2028\u2029]+/g, ' ')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '');
}
