import { type Figures, formatCount } from './report.ts';

const WIDTH = 860;
const PADDING = 16;
const LABEL = 380;
const ROW = 20;
const BAR = 14;
const HEADING = 34;

/**
 * Draws figures as an SVG picture: for each column a bar for each server, the first of which is ours. The bars of a
 * column have one scale, because figures of different columns are not to be compared.
 */
export function drawChart(figures: Figures): string {
  const { title, servers, columns } = figures;
  const group = HEADING + servers.length * ROW;
  const height = 2 * PADDING + columns.length * group;
  const groups = columns.flatMap((column, index) => {
    const top = PADDING + index * group;
    const longest = Math.max(...servers.map((server) => figures.median(server, column)));
    const bars = servers.map((server, row) => {
      const value = figures.median(server, column);
      const y = top + HEADING + row * ROW;
      const width = Math.round((value / longest) * (WIDTH - LABEL - 5 * PADDING));
      const baseline = y + BAR - 3;
      return [
        `<text x="${LABEL - 8}" y="${baseline}" text-anchor="end">${escapeXml(server)}</text>`,
        `<rect x="${LABEL}" y="${y}" width="${width}" height="${BAR}" fill="${row === 0 ? '#1f6feb' : '#9aa4b2'}"/>`,
        `<text x="${LABEL + width + 6}" y="${baseline}">${formatCount(value)}</text>`,
      ].join('');
    });
    const heading = `<text x="${PADDING}" y="${top + HEADING - 10}" font-weight="bold">${escapeXml(column)}</text>`;
    return [heading, ...bars];
  });
  const box = `viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}"`;
  const font = 'font-family="system-ui, sans-serif" font-size="13" fill="#24292f"';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${box} role="img" aria-label="${escapeXml(title)}" ${font}>`,
    `<rect width="${WIDTH}" height="${height}" rx="6" fill="#ffffff"/>`,
    ...groups,
    '</svg>\n',
  ].join('\n');
}

/** Leaves out the backquotes of Markdown. */
const escapeXml = (text: string) =>
  text.replaceAll('`', '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
