import { createPetStore } from '@petstore/client';
import { createPetStoreQueries } from '@petstore/client/tanstack-query';
import { NewPet } from '@petstore/contract';
import {
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const { VITE_BASE_URL: baseUrl, VITE_API_KEY } = import.meta.env;
const apiKey = new URLSearchParams(location.search).get('key') ?? VITE_API_KEY;
const queries = createPetStoreQueries(createPetStore({ baseUrl, apiKey }));

function Pets() {
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(
    queries.listPets.infiniteQueryOptions({ status: 'pending', limit: 2 }),
  );
  if (error) return <p role="alert">{error.message}</p>;
  return (
    <>
      <ul>{data?.pages.flatMap(({ pets }) => pets.map(({ id, name }) => <li key={`${id}`}>{name}</li>))}</ul>
      {hasNextPage && (
        <button type="button" onClick={() => fetchNextPage()}>
          More
        </button>
      )}
    </>
  );
}

function AddPet() {
  const queryClient = useQueryClient();
  const [problems, setProblems] = useState<string[]>([]);
  const { mutate, error } = useMutation({
    ...queries.createPet.mutationOptions(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queries.listPets.key }),
  });

  function add(form: FormData) {
    const categoryId = Number(form.get('categoryId') || Number.NaN);
    const { data: pet, error } = NewPet.safeParse({ name: form.get('name'), categoryId, status: 'pending' });
    setProblems(error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []);
    if (pet) mutate(pet);
  }

  return (
    <form action={add}>
      <input name="name" aria-label="Name" />
      <input name="categoryId" aria-label="Category" />
      <button type="submit">Add</button>
      {[...problems, ...(error ? [error.message] : [])].map((problem) => (
        <p role="alert" key={problem}>
          {problem}
        </p>
      ))}
    </form>
  );
}

createRoot(document.getElementById('root') ?? document.body).render(
  <QueryClientProvider client={new QueryClient()}>
    <Pets />
    <AddPet />
  </QueryClientProvider>,
);
