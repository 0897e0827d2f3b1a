// Draws terminal text with its colours as an SVG picture.

const CELL = 8.4;
const LINE = 19;
const MARGIN = 18;
const BAR = 34;

const BACKGROUND = '#12151c';
const FOREGROUND = '#d5dae3';
/** The sixteen colours of terminals: 0 to 7, then the bright ones. */
const COLORS = [
  ...['#3b4252', '#e06c75', '#7fbf6a', '#d9a94f', '#6aa4e8', '#c48be0', '#4fb8c0', '#d5dae3'],
  ...['#7b8496', '#ff7b86', '#98d982', '#f2c56b', '#86bbff', '#dba6f5', '#6ad5dd', '#ffffff'],
];

const PLAIN = { color: FOREGROUND, bold: false, dim: false };

function applyCode(style, code) {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, color: FOREGROUND };
  if (code >= 30 && code <= 37) return { ...style, color: COLORS[code - 30] };
  if (code >= 90 && code <= 97) return { ...style, color: COLORS[code - 82] };
  return style;
}

/**
 * Splits text into lines, and lines into runs of one style. Wraps lines that are longer than `columns`, as a terminal
 * does.
 */
function layOut(text, columns) {
  const lines = [[]];
  let style = PLAIN;
  let column = 0;
  // The other sequences, of links or beginning with ESC [ and ending with a letter, are not shown.
  // oxlint-disable-next-line no-control-regex
  for (const [, codes, other, character] of text.matchAll(
    /\x1b\[([\d;]*)m|(\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[\d;?]*[A-Za-z])|([\s\S])/gu,
  )) {
    if (codes !== undefined) style = codes.split(';').map(Number).reduce(applyCode, style);
    if (other !== undefined || character === undefined) continue;
    if (character === '\n' || column === columns) {
      lines.push([]);
      column = 0;
    }
    if (character === '\n') continue;
    const last = lines.at(-1).at(-1);
    if (last?.style === style) last.text += character;
    else lines.at(-1).push({ style, column, text: character });
    column += 1;
  }
  return lines;
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function runSvg({ style, column, text }, y) {
  const lead = text.length - text.trimStart().length;
  const shown = text.trim();
  if (shown === '') return '';
  const x = (MARGIN + (column + lead) * CELL).toFixed(1);
  const width = ([...shown].length * CELL).toFixed(1);
  const weight = style.bold ? ' font-weight="700"' : '';
  const dim = style.dim ? ' opacity="0.6"' : '';
  return `<text x="${x}" y="${y}" fill="${style.color}" textLength="${width}"${weight}${dim}>${escapeXml(shown)}</text>`;
}

/** Returns the picture of a terminal window with `columns` columns in which `text` was printed. */
export function terminalSvg(text, { columns, title }) {
  const lines = layOut(text, columns);
  const width = Math.ceil(columns * CELL + 2 * MARGIN);
  const height = BAR + lines.length * LINE + MARGIN;
  const dots = ['#e06c75', '#d9a94f', '#7fbf6a'].map(
    (color, at) => `<circle cx="${MARGIN + 4 + at * 18}" cy="17" r="5.5" fill="${color}"/>`,
  );
  const rows = lines.flatMap((runs, at) => runs.map((run) => runSvg(run, BAR + at * LINE + 15)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title} in a terminal">`,
    `<rect width="100%" height="100%" rx="9" fill="${BACKGROUND}"/>`,
    ...dots,
    `<text x="50%" y="22" fill="#7b8496" font-family="system-ui, sans-serif" font-size="13" text-anchor="middle">${title}</text>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">`,
    ...rows.filter((row) => row !== ''),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}
