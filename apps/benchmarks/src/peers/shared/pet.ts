export type Status = 'available' | 'pending' | 'sold';

export interface NewPet {
  name: string;
  categoryId: number;
  status?: Status | undefined;
}

export interface Pet extends NewPet {
  id: number;
}

export interface PetRow {
  id: number;
  name: string;
  category_id: number;
  status: Status | null;
}

/** An animal without a status has no such member. */
export function toPet({ id, name, category_id, status }: PetRow): Pet {
  return status === null
    ? { id, name, categoryId: category_id }
    : { id, name, categoryId: category_id, status };
}
