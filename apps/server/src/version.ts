import packageJson from '../package.json' with { type: 'json' };

/** The version of the server. */
export const { version } = packageJson;
