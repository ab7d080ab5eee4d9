/** Fastify, tuned by hand. */
import Fastify from 'fastify';
import { addOperations } from './shared/fastify-operations.ts';
import { HOST, PORT } from './shared/settings.ts';

const app = Fastify();
addOperations(app);
await app.listen({ port: PORT, host: HOST });
