import * as z from 'zod/mini';
import { Int64 } from '../json/int64.ts';
import { missingOrWrong } from '../missing-or-wrong.ts';

// zod/mini, because a form that validates with NewPet then grows by 7 kB instead of 27 (minified, gzipped).

/** Availability of a pet (interface: PetStatus). */
export const PetStatus = z
  .enum(['available', 'pending', 'sold'], 'must be one of available, pending, sold')
  .check(z.meta({ id: 'PetStatus', description: 'Availability status' }));
export type PetStatus = z.infer<typeof PetStatus>;

// PostgreSQL cannot store NUL in text, and a lone surrogate has no UTF-8 form: neither could come back unchanged.
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');

const text = (description: string) =>
  z
    .string({ error: missingOrWrong('must be a string') })
    .check(
      z.refine(isStorable, 'must not contain NUL or a lone surrogate'),
      z.meta({ description, pattern: '^[^\\u0000]*$' }),
    );

const properties = {
  name: text("The pet's name, kept exactly as sent; without NUL and lone surrogates"),
  categoryId: Int64.check(z.meta({ description: 'Identifier of the category the pet belongs to' })),
  status: z.optional(PetStatus),
};

/** A pet with every property, for documentation and tests. A new property does not compile until it is here. */
const example = {
  name: 'Ñandú',
  categoryId: 7,
  status: 'available',
} as const satisfies {
  [Name in keyof typeof properties]: NonNullable<z.infer<(typeof properties)[Name]>>;
};

/** The request body of createPet (interface: NewPet). Other members are ignored. */
export const NewPet = z
  .object(properties, 'must be a JSON object')
  .check(z.meta({ id: 'NewPet', description: 'A pet to add to the catalogue', example }));
export type NewPet = z.infer<typeof NewPet>;

/** A pet of the catalogue (interface: Pet). `status` is absent when it was left out on creation. */
export const Pet = z
  .object({
    id: Int64.check(z.meta({ description: 'Unique identifier assigned by the service on creation' })),
    ...NewPet.shape,
  })
  .check(z.meta({ id: 'Pet', description: 'A pet of the catalogue', example: { id: 1, ...example } }));
export type Pet = z.infer<typeof Pet>;

/** A pet with the required properties only, as the oldest stored pets may be. */
const minimal = NewPet.safeParse({ name: 'Rex', categoryId: 3 });
if (!minimal.success) {
  throw new TypeError(
    'A new property of a pet must be optional or have a default, because callers and stored pets lack it: ' +
      'see the recipes in CONTRIBUTING.md',
  );
}

/** How many pets a page has (interface: Limits). */
export const pageSize = { minimum: 1, maximum: 100, default: 20 } as const;

/** A page of pets: a bare array (interface: Pets). */
export const Pets = z.array(Pet).check(
  z.maxLength(pageSize.maximum, `must have at most ${pageSize.maximum} pets`),
  z.meta({
    id: 'Pets',
    description: 'A page of pets, ordered by id',
    example: [
      { id: 1, ...example },
      { id: 2, ...minimal.data },
    ],
  }),
);
export type Pets = z.infer<typeof Pets>;
