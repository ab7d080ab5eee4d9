import { addPet } from './actions';
import { store } from './store';

interface Properties {
  searchParams: Promise<{ cursor?: string; message?: string }>;
}

export default async function Page({ searchParams }: Properties) {
  const { cursor, message } = await searchParams;
  const { body, next } = await store.withResponse.listPets({ status: 'available', limit: 2, cursor });
  return (
    <main>
      {message && <p role="alert">{message}</p>}
      <ul>
        {body.map(({ id, name }) => (
          <li key={`${id}`}>{name}</li>
        ))}
      </ul>
      {next && <a href={`/?cursor=${next}`}>More</a>}
      <form action={addPet}>
        <input type="hidden" name="idempotencyKey" value={crypto.randomUUID()} />
        <input name="name" aria-label="Name" />
        <input name="categoryId" aria-label="Category" />
        <button type="submit">Add</button>
      </form>
    </main>
  );
}
