import { NewPet } from '@petstore/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { queries } from './queries';

/** A form that adds one pet, however often a person clicks. */
export function AddPet() {
  const queryClient = useQueryClient();
  const [problems, setProblems] = useState<string[]>([]);
  const { mutate, error, isPending } = useMutation({
    ...queries.createPet.mutationOptions(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queries.listPets.key }),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const categoryId = Number(fields.get('categoryId') || Number.NaN);
    const pet = NewPet.safeParse({ name: fields.get('name'), categoryId, status: 'pending' });
    setProblems(pet.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []);
    // The fields stay until the pet is added: after an error, a second click sends the same pet again.
    if (pet.success) mutate({ pet: pet.data }, { onSuccess: () => form.reset() });
  }

  return (
    <form onSubmit={submit}>
      <input name="name" aria-label="Name" />
      <input name="categoryId" aria-label="Category" />
      <button type="submit" disabled={isPending}>
        Add
      </button>
      {[...problems, ...(error ? [error.message] : [])].map((problem) => (
        <p role="alert" key={problem}>
          {problem}
        </p>
      ))}
    </form>
  );
}
