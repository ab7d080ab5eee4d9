import { useInfiniteQuery } from '@tanstack/react-query';
import { queries } from './queries';

/** An endless list of the pending pets. */
export function Pets() {
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
