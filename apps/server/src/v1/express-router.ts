/**
 * What the bundle has in place of Express (rolldown.config.ts): its router, and what ts-rest reads of it. The rest of
 * Express, of which nothing is used, would be 40 % of the code that a start loads: 14 % of the processor time of a
 * start and 9 MB of memory (medians of nine starts each, by turns).
 */
export { default as Router } from 'router';

/** ts-rest looks here for a method that the applications of Express 4 have, and those of Express 5 have not. */
export const application = {};
