import { AddPet } from './add-pet';
import { store } from './store';

interface Properties {
  searchParams: Promise<{ cursor?: string }>;
}

export default async function Page({ searchParams }: Properties) {
  const { cursor } = await searchParams;
  const { body, next } = await store.withResponse.listPets({ status: 'available', limit: 2, cursor });
  return (
    <main>
      <ul>
        {body.map(({ id, name }) => (
          <li key={`${id}`}>{name}</li>
        ))}
      </ul>
      {next && <a href={`/?cursor=${next}`}>More</a>}
      <AddPet />
    </main>
  );
}
