import { expect, test } from 'vitest';
import { variables } from '../config.ts';
import { findMisspelled } from './misspelled-variables.ts';

test.each([
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['PROT', 'PORT'],
  ['port', 'PORT'],
  ['HSOT', 'HOST'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['API_KEY', 'API_KEYS'],
  ['PUBLIC_BASE_URI', 'PUBLIC_BASE_URL'],
])('%s is found to be a misspelling of %s', (variable, meant) => {
  expect(findMisspelled({ [variable]: 'secret' })).toEqual([{ variable, meant }]);
});

test('variables of the service, and those that systems and tools set, are no misspellings', () => {
  const common =
    'PATH HOME USER SHELL PWD OLDPWD LANG TERM TZ HOSTNAME LOGNAME EDITOR PAGER SHLVL MAIL TMPDIR DISPLAY NODE_OPTIONS ' +
    'NODE_PATH NODE_VERSION NODE_DEBUG NPM_CONFIG_CACHE PNPM_HOME YARN_VERSION CI DEBUG NO_COLOR FORCE_COLOR COLORTERM ' +
    'KUBERNETES_PORT KUBERNETES_SERVICE_HOST PETSTORE_PORT PETSTORE_SERVICE_PORT HTTP_PROXY HTTPS_PROXY NO_PROXY ' +
    'PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE XDG_RUNTIME_DIR SSH_AUTH_SOCK INVOCATION_ID JOURNAL_STREAM LC_ALL';
  const environment = Object.fromEntries(common.split(' ').map((name) => [name, 'x']));
  expect(findMisspelled(environment)).toEqual([]);
  expect(findMisspelled(Object.fromEntries(variables.map((name) => [name, 'x'])))).toEqual([]);
});

test('a name beside the variable that it resembles is no misspelling', () => {
  expect(findMisspelled({ HOSTS: 'a', HOST: 'b', WORKER: '', PROT: '' })).toEqual([]);
});
