import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Variables with which Node.js starts one of our commands with a fifth less of processor time. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(tmpdir(), `petstore-compile-cache-${userInfo().username}`),
};
