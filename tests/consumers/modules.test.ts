import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, createApp } from './app.ts';

/** The table of the README: what compiles with which settings, from an ES module and from CommonJS. */
const settings = [
  { module: 'nodenext', since: 5.4, commonJs: 5.8 },
  { module: 'node20', since: 5.9, commonJs: 5.9 },
  { module: 'node18', since: 5.8, commonJs: undefined },
  { module: 'node16', since: 5.4, commonJs: undefined },
];

const versions = [5.4, 5.9, 7];

const nameOf = (version: number) => `typescript-${version}`;

const dependencies = {
  '@types/node': '24',
  ...Object.fromEntries(
    versions.map((version) => [nameOf(version), `npm:typescript@~${version.toFixed(1)}.0`]),
  ),
};

describe.each(versions)('TypeScript %d', (version) => {
  let app: App;

  beforeAll(async () => {
    app = await createApp('modules', ['client'], dependencies);
  });

  afterAll(() => app[Symbol.asyncDispose]());

  const compile = async (file: string, ...options: string[]) => {
    const tsc = `node_modules/${nameOf(version)}/bin/tsc`;
    const shared = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--types',
      'node',
      '--skipLibCheck',
      'false',
    ];
    const { output } = await app.attempt('node', tsc, ...shared, ...options, file);
    return output.match(/error TS\d+/g) ?? [];
  };

  const known = settings.filter(({ since }) => since <= version);

  test.each(known)('compiles an ES module with module $module', async ({ module }) => {
    expect(await compile('module.mts', '--module', module)).toEqual([]);
  });

  test.each(known)('compiles await import in CommonJS with module $module', async ({ module }) => {
    expect(await compile('awaits.cts', '--module', module)).toEqual([]);
  });

  test.each(known)('compiles import in CommonJS with module $module as the README says', async (setting) => {
    const { module, commonJs = Number.POSITIVE_INFINITY } = setting;
    const errors = await compile('imports.cts', '--module', module);
    expect(errors).toEqual(commonJs <= version ? [] : ['error TS1479']);
  });

  test.each(['esnext', 'preserve'])('compiles with module %s for a bundler', async (module) => {
    const options = ['--module', module, '--moduleResolution', 'bundler'];
    expect(await compile('module.mts', ...options)).toEqual([]);
  });
});
