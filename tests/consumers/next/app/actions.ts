'use server';

import { isPetStoreError } from '@petstore/client';
import { NewPet } from '@petstore/contract';
import { redirect } from 'next/navigation';
import { store } from './store';

export async function addPet(form: FormData) {
  redirect(`/?message=${encodeURIComponent(await add(form))}`);
}

async function add(form: FormData): Promise<string> {
  const categoryId = Number(form.get('categoryId') || Number.NaN);
  const { data: pet, error } = NewPet.safeParse({ name: form.get('name'), categoryId, status: 'available' });
  if (!pet) return error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join(', ');
  try {
    const { name } = await store.createPet(pet, { idempotencyKey: String(form.get('idempotencyKey')) });
    return `Added ${name}`;
  } catch (error) {
    if (!isPetStoreError(error)) throw error;
    return error.message;
  }
}
