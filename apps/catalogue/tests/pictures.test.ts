import { readFileSync } from 'node:fs';
import { launchBrowser } from '@petstore/test-support/browser';
import { expect, test } from 'vitest';
import { PICTURES, startDemo, takePictures } from '../scripts/pictures.ts';

const toUrl = (picture: Buffer) => `data:image/png;base64,${picture.toString('base64')}`;

/** Runs in the browser. @returns the share of pixels whose red, green or blue differs by more than a quarter */
async function compare(urls: string[]): Promise<number> {
  const [one = [], other = []] = await Promise.all(
    urls.map(async (url) => {
      const image = await createImageBitmap(await (await fetch(url)).blob());
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context?.drawImage(image, 0, 0);
      return context?.getImageData(0, 0, image.width, image.height).data;
    }),
  );
  let different = 0;
  for (let index = 0; index < one.length; index += 4) {
    const differs = (channel: number) => Math.abs(Number(one[channel]) - Number(other[channel])) > 64;
    if (differs(index) || differs(index + 1) || differs(index + 2)) different += 1;
  }
  return different / (one.length / 4);
}

test('the pictures of the README show the pages as they are', async () => {
  const pictures = await takePictures();
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  for (const [name, picture] of Object.entries(pictures)) {
    const difference = await page.evaluate(compare, [picture, readFileSync(PICTURES + name)].map(toUrl));
    // A line of text in another place is no reason for a new picture. Text covers a tenth of a page.
    expect(difference, `${name}: run "node apps/catalogue/scripts/write-pictures.ts"`).toBeLessThan(0.05);
  }
});

test('pictures do not wait for a demo that has ended', async () => {
  await expect(startDemo('/dev/null/demo.db')).rejects.toThrow('/dev/null');
});
