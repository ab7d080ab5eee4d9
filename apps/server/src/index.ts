export { createApp } from './app.ts';
export { type Config, readConfig } from './config.ts';
export { type Context, createContext } from './context.ts';
export { openDatabase } from './database/open.ts';
export { Lifecycle } from './http/lifecycle.ts';
export { createHttpServer } from './http/server.ts';
