'use server';

import { isPetStoreError } from '@petstore/client';
import { NewPet } from '@petstore/contract';
import { revalidatePath } from 'next/cache';
import { store } from './store';

export interface FormState {
  name: string;
  categoryId: string;
  /** What these fields are sent with. */
  idempotencyKey: string;
  message: string;
}

export async function addPet(before: FormState, form: FormData): Promise<FormState> {
  const name = String(form.get('name'));
  const categoryId = String(form.get('categoryId'));
  // The same fields have the same key: when only the response was lost, a second click adds no second pet.
  const isRepeated = name === before.name && categoryId === before.categoryId;
  const idempotencyKey = isRepeated ? before.idempotencyKey : crypto.randomUUID();
  const state = { name, categoryId, idempotencyKey };

  const pet = NewPet.safeParse({ name, categoryId: Number(categoryId || Number.NaN), status: 'available' });
  if (!pet.success) {
    const problems = pet.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    return { ...state, message: problems.join(', ') };
  }
  try {
    await store.createPet(pet.data, { idempotencyKey });
  } catch (error) {
    if (!isPetStoreError(error)) throw error;
    return { ...state, message: error.message };
  }
  revalidatePath('/');
  return { name: '', categoryId: '', idempotencyKey: '', message: `Added ${name}` };
}
