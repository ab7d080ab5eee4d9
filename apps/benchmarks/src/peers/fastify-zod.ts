/** Fastify with its zod type provider, as the provider's README sets it up, and Kysely. */
import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { type GeneratedAlways, Kysely, SqliteDialect } from 'kysely';
import { z } from 'zod';
import { type PetRow, startOf, toPage, toPet } from './shared/pets.ts';
import { NewPet, Pet, PetId, PetsQuery } from './shared/schemas.ts';
import { ADDRESS, errors, isAuthorized, openSqlite } from './shared/service.ts';

const PetParams = z.object({ petId: PetId });
const ErrorBody = z.object({ code: z.string(), message: z.string(), status: z.int() });

interface Tables {
  pets: Omit<PetRow, 'id'> & { id: GeneratedAlways<number> };
}

const COLUMNS = ['id', 'name', 'category_id', 'status'] as const;
const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: openSqlite() }) });
const app = Fastify().withTypeProvider<ZodTypeProvider>();
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);

app.addHook('onRequest', async (request, reply) => {
  if (!isAuthorized(request.headers.authorization)) return reply.code(401).send(errors.unauthorized);
});

app.setErrorHandler(({ statusCode = 500 }: { statusCode?: number }, _request, reply) =>
  reply.code(statusCode).send(statusCode < 500 ? errors.invalid : errors.internal),
);

app.route({
  method: 'GET',
  url: '/v1/pets',
  schema: { querystring: PetsQuery, response: { 200: z.array(Pet) } },
  async handler({ query: page }) {
    const { limit, status } = page;
    let query = db.selectFrom('pets').select(COLUMNS).where('id', '>', startOf(page)).orderBy('id');
    if (status !== undefined) query = query.where('status', '=', status);
    return toPage(await query.limit(limit + 1).execute(), page).pets;
  },
});

app.route({
  method: 'POST',
  url: '/v1/pets',
  schema: { body: NewPet, response: { 201: Pet } },
  async handler({ body: { name, categoryId, status } }, reply) {
    const row = await db
      .insertInto('pets')
      .values({ name, category_id: categoryId, status: status ?? null })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    return reply.code(201).send(toPet(row));
  },
});

app.route({
  method: 'GET',
  url: '/v1/pets/:petId',
  schema: { params: PetParams, response: { 200: Pet, 404: ErrorBody } },
  async handler({ params: { petId } }, reply) {
    const row = await db.selectFrom('pets').select(COLUMNS).where('id', '=', petId).executeTakeFirst();
    return row === undefined ? reply.code(404).send(errors.notFound) : reply.send(toPet(row));
  },
});

await app.listen(ADDRESS);
