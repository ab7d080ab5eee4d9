/** Writes text for an SVG picture. The backquotes of Markdown are left out. */
export const escapeXml = (text: string): string =>
  text.replaceAll('`', '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
