import { z } from 'zod';
import { Int64 } from './int64.ts';

/** Availability of an animal (interface: PetStatus). */
export const PetStatus = z
  .enum(['available', 'pending', 'sold'], 'must be one of available, pending, sold')
  .meta({ id: 'PetStatus', description: 'Availability status' });
export type PetStatus = z.infer<typeof PetStatus>;

// A NUL ends a text in PostgreSQL, and a lone surrogate has no UTF-8: neither could come back unchanged.
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');

const Name = z
  .string('must be a string')
  .refine(isStorable, 'must not contain NUL or a lone surrogate')
  .meta({
    description: "The animal's name, kept exactly as sent; without NUL and lone surrogates",
    pattern: '^[^\\u0000]*$',
  });

/** What a caller sends to add an animal (interface: NewPet). Members it does not name are ignored. */
export const NewPet = z
  .object(
    {
      name: Name,
      categoryId: Int64.meta({ description: 'Identifier of the category the animal belongs to' }),
      status: PetStatus.optional(),
    },
    'must be a JSON object',
  )
  .meta({
    id: 'NewPet',
    description: 'An animal to add to the catalogue',
    example: { name: 'Ñandú', categoryId: 7, status: 'available' },
  });
export type NewPet = z.infer<typeof NewPet>;

/** An animal of the catalogue (interface: Pet). `status` is absent when it was left out on creation. */
export const Pet = z
  .object({
    id: Int64.meta({ description: 'Unique identifier assigned by the service on creation' }),
    ...NewPet.shape,
  })
  .meta({
    id: 'Pet',
    description: 'An animal of the catalogue',
    example: { id: 1, name: 'Ñandú', categoryId: 7, status: 'available' },
  });
export type Pet = z.infer<typeof Pet>;

/** A page of animals: a bare array (interface: Pets). */
export const Pets = z.array(Pet).meta({
  id: 'Pets',
  description: 'A page of animals, ordered by id',
  example: [
    { id: 1, name: 'Ñandú', categoryId: 7, status: 'available' },
    { id: 2, name: 'Rex', categoryId: 3 },
  ],
});
export type Pets = z.infer<typeof Pets>;
