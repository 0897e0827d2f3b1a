/** Returns the non-empty lines that a terminal shows after `text` was written to it. */
export function screenOf(text: string): readonly string[] {
  const lines: string[] = [''];
  let column = 0;
  for (const [token] of text.matchAll(/\x1b\[[0-9;]*[A-Za-z]|\x1b\].*?\x1b\\|[^]/gu)) {
    const line = lines.at(-1) ?? '';
    if (token === '\n') lines.push('');
    else if (token === '\r') column = 0;
    else if (token === '\x1b[K') lines[lines.length - 1] = line.slice(0, column);
    else if (!token.startsWith('\x1b')) {
      lines[lines.length - 1] = line.slice(0, column).padEnd(column) + token + line.slice(column + 1);
      column += 1;
    }
  }
  return lines.map((line) => line.trimEnd()).filter((line) => line !== '');
}
