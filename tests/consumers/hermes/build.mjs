// Bundles the app as Metro does: without ES modules, and with the syntax that Hermes knows.
import { writeFile } from 'node:fs/promises';
import { transformAsync } from '@babel/core';
import { build } from 'esbuild';

const { outputFiles } = await build({
  stdin: { contents: "import './react-native.js'; import './app.js';", resolveDir: '.' },
  bundle: true,
  format: 'iife',
  conditions: ['react-native'],
  platform: 'neutral',
  mainFields: ['react-native', 'main'],
  write: false,
});
const presets = [['@babel/preset-env', { targets: { ie: '11' } }]];
const { code } = await transformAsync(outputFiles[0].text, { presets, babelrc: false, configFile: false });
await writeFile('bundle.js', code);
