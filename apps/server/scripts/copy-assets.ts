/** Puts the files of `/docs` beside the build, so that a deployment needs none of Scalar's packages. */
import { copyFileSync, mkdirSync } from 'node:fs';

const assets = new URL('../assets/', import.meta.url);
mkdirSync(assets, { recursive: true });
const standalone = new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference'));
copyFileSync(standalone, new URL('scalar.js', assets));
copyFileSync(new URL('../browser/docs-page.html', import.meta.url), new URL('docs-page.html', assets));
