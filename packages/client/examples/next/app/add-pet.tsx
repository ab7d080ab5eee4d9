'use client';

import { useActionState } from 'react';
import { addPet } from './actions';

export function AddPet() {
  const [state, action, isPending] = useActionState(addPet, {
    name: '',
    categoryId: '',
    idempotencyKey: '',
    message: '',
  });
  return (
    <form action={action}>
      {state.message && <p role="alert">{state.message}</p>}
      <input name="name" aria-label="Name" defaultValue={state.name} />
      <input name="categoryId" aria-label="Category" defaultValue={state.categoryId} />
      <button type="submit" disabled={isPending}>
        Add
      </button>
    </form>
  );
}
