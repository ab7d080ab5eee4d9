/** Writes the pictures of the README: `pnpm build`, then `node apps/catalogue/scripts/write-pictures.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { PICTURES, takePictures } from './pictures.ts';

mkdirSync(PICTURES, { recursive: true });
for (const [name, picture] of Object.entries(await takePictures())) writeFileSync(PICTURES + name, picture);
