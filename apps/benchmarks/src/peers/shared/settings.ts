/** The settings of a peer, from its environment. */
export const PORT = Number(process.env.PORT);
export const DATABASE = process.env.DATABASE ?? '';
export const HOST = '127.0.0.1';
