import { after, all, type Recipe } from './recipe.ts';

const deletePet = `  deletePet: operation({
    method: 'DELETE',
    path: '/pets/:petId',
    summary: 'Remove a pet',
    description: 'Removes one pet. Its id is never used again.',
    pathParams: z.object({ petId: PetId }),
    responses: { 204: c.noBody(), ...errors('pet_not_found') },
    metadata: { scope: 'write', successes: { 204: 'Pet removed' } },
  }),
`;

/** Removes a pet. */
export const operation: Recipe = {
  title: 'An operation that removes a pet',
  heading: 'An operation',
  maxFiles: 8,
  edits: {
    'packages/contract/src/v1/pets.ts': after(
      "      responseHeaders: { 201: ['Location', 'Idempotency-Replayed'] },\n    },\n  }),\n",
      deletePet,
    ),
    'apps/server/src/database/postgres/privileges.ts': (text) =>
      text.replace("pets: ['select', 'insert']", "pets: ['select', 'insert', 'delete']"),
    'deploy/postgres/grants.sql': (text) =>
      text.replace('grant select, insert on pets to', 'grant select, insert, delete on pets to'),
    'apps/server/src/pets/repository.ts': all(
      (text) => `${text}

/** Removes a pet. @returns whether there was one */
export async function deletePet(db: Kysely<Tables>, id: Int64): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('pets').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}
`,
    ),
    'apps/server/src/pets/handlers-v1.ts': all(
      (text) => text.replace('import { findPet, readPage }', 'import { deletePet, findPet, readPage }'),
      after(
        '        return { status: 201, body: pet };\n      },\n    },\n',
        `
    async deletePet({ params: { petId } }) {
      if (!(await deletePet(db, petId))) return refuse('pet_not_found');
      return { status: 204, body: undefined };
    },
`,
      ),
    ),
    'packages/client/src/testing/pet-routes.ts': after(
      '    return cacheable(request, stringifyJson(this.#find(petId)));\n  }\n',
      `
  async deletePet(_request: Request, petId: string): Promise<Response> {
    const pet = this.#find(petId);
    this.pets.splice(this.pets.indexOf(pet), 1);
    for (const [key, record] of this.#idempotencyRecords) {
      if (record.pet.id === pet.id) this.#idempotencyRecords.delete(key);
    }
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  }
`,
    ),
  },
};
