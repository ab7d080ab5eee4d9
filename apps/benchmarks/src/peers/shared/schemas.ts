import { z } from 'zod';
import type { PageQuery } from './pets.ts';

const Status = z.enum(['available', 'pending', 'sold']);

export const PetsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  status: Status.optional(),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .optional(),
});
export const NewPet = z.object({ name: z.string(), categoryId: z.int(), status: Status.optional() });
export const Pet = z.object({ id: z.int(), ...NewPet.shape });
export const PetId = z.coerce.number().int();

/** The headers of our getPet, which is deprecated. */
export const DEPRECATION_HEADERS = {
  Deprecation: '@1764892800',
  Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  Link: '</docs>; rel="deprecation"; type="text/html", </v1/pets>; rel="successor-version"',
};

export function linkTo(next: string, { limit, status }: PageQuery): string {
  const filter = status === undefined ? '' : `&status=${status}`;
  return `</v1/pets?limit=${limit}${filter}&cursor=${next}>; rel="next"`;
}
