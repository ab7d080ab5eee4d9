import { z } from 'zod';

/** The schemas of the peers that use zod. */
export const Status = z.enum(['available', 'pending', 'sold']);

export const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  status: Status.optional(),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .optional(),
});

export const NewPet = z.object({ name: z.string(), categoryId: z.int(), status: Status.optional() });

export const Pet = z.object({ id: z.int(), ...NewPet.shape });

export const PetParams = z.object({ petId: z.coerce.number().int() });

export const ErrorBody = z.object({ code: z.string(), message: z.string(), status: z.int() });
