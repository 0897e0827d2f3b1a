/** Text of others between styles of ours. */
import { stripStyles } from './style.ts';

/** The text without anything that steers a terminal, in one line. */
export function plainText(text: string): string {
  return stripStyles(text).replaceAll(/[\n\r\f\v]+/g, ' ');
}
