import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { makeOnce } from './files.ts';
import { runTool } from './programs.ts';

/**
 * Launches a real Chromium without a window. Its same-origin policy is on.
 * The binary comes out of the npm package @sparticuz/chromium (Linux on x64), so that nothing is downloaded at a test's
 * start. Other systems use the installed Chrome.
 */
export async function launchBrowser(): Promise<Browser> {
  const isPackaged = process.platform === 'linux' && process.arch === 'x64';
  const options = isPackaged ? launchOptionsIn(await extractChromium()) : { channel: 'chrome' };
  // Chromium's own sandbox needs rights that a container seldom has, and a test visits its own pages only.
  return chromium.launch({ ...options, chromiumSandbox: false });
}

/** The extracted binary, with the libraries and fonts that a small system may lack. */
const launchOptionsIn = (folder: string) => ({
  executablePath: join(folder, 'chromium'),
  env: {
    ...process.env,
    LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
    FONTCONFIG_PATH: join(folder, 'fonts'),
  },
});

/** Extracts the binary, which takes two seconds and 220 MB. */
const extractChromium = () =>
  makeOnce('chromium', '@sparticuz/chromium', async (unfinished, finished) => {
    const program = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;
    // In a process of its own, because the package reads and changes the environment.
    await runTool(process.execPath, ['--input-type=module', '--eval', program], {
      // The package extracts to TMPDIR. With this variable of AWS Lambda, it extracts libraries, too.
      env: { ...process.env, TMPDIR: unfinished, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' },
      cwd: import.meta.dirname,
    });
    await writeFile(join(unfinished, 'fonts', 'fonts.conf'), fontConfiguration(finished));
  });

/** The package's own fonts.conf refers to /tmp/fonts. Without any font, Chromium ends when it has to replace a font. */
const fontConfiguration = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'font-cache')}</cachedir>
</fontconfig>
`;
