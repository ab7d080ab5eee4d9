import Fastify from 'fastify';
import { addOperations } from './shared/fastify-operations.ts';
import { ADDRESS } from './shared/service.ts';

const app = Fastify();
addOperations(app);
await app.listen(ADDRESS);
