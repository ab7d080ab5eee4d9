import { isPetStoreError, type Pet, type PetStore, type PetStatus as Status } from '@petstore/client';
import { PetStatus, parseInt64 } from '@petstore/contract';
import type { Context } from 'hono';
import { animalPath, statuses, statusLabel } from '../animals.ts';
import type { AppEnv } from '../http/env.ts';
import { sendPage } from '../http/send-page.ts';
import { AnimalName, Portrait, StatusBadge } from '../pages/animal-parts.tsx';
import { AnimalNotFoundPage, BadLinkPage } from '../pages/failure.tsx';
import { Layout } from '../pages/layout.tsx';

/** Fills the rows of one, two, three and four columns. */
const PAGE_SIZE = 24;

interface ListQuery {
  status: Status | undefined;
  cursor: string | undefined;
}

interface ListPage extends ListQuery {
  pets: readonly Pet[];
  /** The cursor of the next page, if there is one. */
  next: string | undefined;
}

/** `GET /animals?status=…&cursor=…`: a page of the list. `GET /animals?number=…` leads to one animal. */
export const listAnimals = (store: PetStore) => async (c: Context<AppEnv>) => {
  const { number } = c.req.query();
  if (number !== undefined) return redirectToAnimal(c, number.trim());
  const query = parseQuery(c.req.query());
  const page = query && (await fetchPage(store, query, c.req.raw.signal));
  if (page === undefined) return sendPage(c, BadLinkPage(c.var), 400);
  return sendPage(c, <AnimalsPage {...page} user={c.var.user} />);
};

function redirectToAnimal(c: Context<AppEnv>, number: string) {
  const id = parseInt64(number);
  if (id === undefined) return sendPage(c, AnimalNotFoundPage({ id: number, ...c.var }), 404);
  return c.redirect(animalPath(id));
}

/** @returns `undefined` when the status is none of the contract's */
function parseQuery({ status, cursor }: Record<string, string>): ListQuery | undefined {
  const parsed = status ? PetStatus.safeParse(status) : { success: true, data: undefined };
  return parsed.success ? { status: parsed.data, cursor: cursor || undefined } : undefined;
}

/** @returns `undefined` when the pet store does not accept the cursor: only it knows which are valid */
async function fetchPage(
  store: PetStore,
  query: ListQuery,
  signal: AbortSignal,
): Promise<ListPage | undefined> {
  try {
    const { body, next } = await store.withResponse.listPets({ ...query, limit: PAGE_SIZE }, { signal });
    return { ...query, pets: body, next };
  } catch (error) {
    if (isPetStoreError(error) && error.code === 'invalid_parameter') return undefined;
    throw error;
  }
}

function listPath({ status, cursor }: Partial<ListQuery>): string {
  const query = new URLSearchParams({ ...(status && { status }), ...(cursor && { cursor }) });
  return query.size === 0 ? '/animals' : `/animals?${query}`;
}

const AnimalsPage = ({ user, ...page }: ListPage & { user: string }) => (
  <Layout
    title={page.status ? `${statusLabel(page.status)} animals` : 'All animals'}
    user={user}
    section="list"
  >
    <div class="heading">
      <h1>Animals</h1>
      <a class="button primary" href="/animals/new">
        Add an animal
      </a>
    </div>
    {/* Above the list: below it, the pages that are appended would push it away. */}
    <p class="limits">By number, oldest first. The pet store has no search and no total.</p>
    <div class="toolbar">
      <nav class="filter" aria-label="Filter by status">
        {[...statuses, undefined].map((status) => (
          <a href={listPath({ status })} aria-current={status === page.status ? 'true' : undefined}>
            {status ? statusLabel(status) : 'All'}
          </a>
        ))}
      </nav>
      <form class="open-animal" action="/animals" method="get">
        <label for="number">Number</label>
        <input id="number" name="number" inputmode="numeric" autocomplete="off" required size={8} />
        <button class="button" type="submit">
          Open
        </button>
      </form>
    </div>
    {page.cursor && (
      <p class="first-page">
        <a href={listPath({ status: page.status })}>First page</a>
      </p>
    )}
    <div class="pages">
      <AnimalsList {...page} />
    </div>
    <p class="visually-hidden" role="status" id="list-status" />
  </Layout>
);

/** One page of the list. The script of the page appends the next ones to it as they are. */
const AnimalsList = ({ pets, next, ...query }: ListPage) => (
  <div class="animals-page" data-path={listPath(query)}>
    {pets.length === 0 ? (
      <NoAnimals {...query} />
    ) : (
      <ul class="animals">
        {pets.map((pet) => (
          <AnimalCard {...pet} />
        ))}
      </ul>
    )}
    {next ? (
      <p class="next-page">
        <a class="button" rel="next" href={listPath({ ...query, cursor: next })}>
          <span>Next page</span>
        </a>
      </p>
    ) : (
      pets.length > 0 && <p class="end">This is the end of the list.</p>
    )}
  </div>
);

const AnimalCard = ({ id, name, categoryId, status }: Pet) => (
  <li>
    <a class="animal" href={animalPath(id)}>
      <Portrait name={name} categoryId={categoryId} />
      <span class="animal-text">
        <span class="name">
          <AnimalName name={name} />
        </span>
        <span class="details">
          No. {String(id)} · Category {String(categoryId)}
        </span>
      </span>
      <StatusBadge status={status} />
    </a>
  </li>
);

const NoAnimals = ({ status, cursor }: ListQuery) => (
  <div class="empty">
    <p>
      {cursor
        ? 'There are no more animals.'
        : `There are no ${status ? `animals with the status ${status}` : 'animals yet'}.`}
    </p>
    {status && (
      <p>
        <a href="/animals">Show all animals</a>
      </p>
    )}
  </div>
);
