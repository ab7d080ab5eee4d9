import * as z from 'zod';
import { Int64, missingOrWrong, text } from '../values.ts';

const statuses = ['available', 'pending', 'sold'] as const;

/** Availability of a pet (interface: PetStatus). */
export const PetStatus = z
  .enum(statuses, { error: missingOrWrong(`must be one of ${statuses.join(', ')}`) })
  .meta({ id: 'PetStatus', description: 'Availability status' });
export type PetStatus = z.infer<typeof PetStatus>;

const properties = {
  name: text("The pet's name, kept exactly as sent; without NUL and lone surrogates"),
  categoryId: Int64.meta({ description: 'Identifier of the category the pet belongs to' }),
  status: PetStatus.optional(),
};

/** A pet with every property, for documentation and tests. A new property does not compile until it is here. */
const example = {
  name: 'Ñandú',
  categoryId: 7,
  status: 'available',
} as const satisfies {
  // No bigint, because zod renders examples with `JSON.stringify`.
  [Name in keyof typeof properties]: Exclude<z.infer<(typeof properties)[Name]>, bigint | undefined>;
};

/** The request body of createPet (interface: NewPet). Other members are ignored. */
export const NewPet = z
  .object(properties, 'must be a JSON object')
  .meta({ id: 'NewPet', description: 'A pet to add to the catalogue', example });
export type NewPet = z.infer<typeof NewPet>;

/** A pet of the catalogue (interface: Pet). `status` is absent when it was left out on creation. */
export const Pet = z
  .object({
    id: Int64.meta({ description: 'Unique identifier assigned by the service on creation' }),
    ...NewPet.shape,
  })
  .meta({ id: 'Pet', description: 'A pet of the catalogue', example: { id: 1, ...example } });
export type Pet = z.infer<typeof Pet>;

/** How many pets a page has (interface: Limits). */
export const pageSize = { minimum: 1, maximum: 100, default: 20 } as const;

/** A page of pets: a bare array (interface: Pets). */
export const Pets = z
  .array(Pet)
  .max(pageSize.maximum, `must have at most ${pageSize.maximum} pets`)
  .meta({ id: 'Pets', description: 'A page of pets, ordered by id', example: [{ id: 1, ...example }] });
export type Pets = z.infer<typeof Pets>;
