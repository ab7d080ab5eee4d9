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

/** Leaves out a status that is not set. */
export function toPet({ id, name, category_id, status }: PetRow): Pet {
  return status === null
    ? { id, name, categoryId: category_id }
    : { id, name, categoryId: category_id, status };
}
