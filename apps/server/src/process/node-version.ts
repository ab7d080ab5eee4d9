/** The first version that has everything the service uses; `engines` in package.json states the same. */
const REQUIRED = [22, 18] as const;

/** Ends the process with one line when this Node.js is too old to load the service. */
export function requireNodeVersion(): void {
  const version = process.versions.node;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isSuitable = major > REQUIRED[0] || (major === REQUIRED[0] && minor >= REQUIRED[1]);
  if (isSuitable) return;
  process.stderr.write(`petstore: Node.js ${REQUIRED.join('.')} or newer is required, this is ${version}\n`);
  process.exit(1);
}
