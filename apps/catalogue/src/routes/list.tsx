import { isPetStoreError, type Pet, type PetStore } from '@petstore/client';
import { parseInt64 } from '@petstore/contract';
import type { Context } from 'hono';
import { type Categories, categoryName } from '../categories.ts';
import type { Config } from '../config.ts';
import type { AppEnv } from '../http/env.ts';
import { sendPage } from '../http/send-page.ts';
import { AnimalName, Portrait, StatusBadge } from '../pages/animal-parts.tsx';
import { AnimalNotFoundPage, BadLinkPage } from '../pages/failure.tsx';
import { Layout } from '../pages/layout.tsx';
import { animalPath, cardId, type ListQuery, listPath, parseListQuery } from '../paths.ts';
import { listTitle, statuses, statusLabel } from '../statuses.ts';

/** Fills the rows of one, two, three and four columns. */
const PAGE_SIZE = 24;

interface ListPage {
  list: ListQuery;
  pets: readonly Pet[];
  /** The cursor of the next page, if there is one. */
  next: string | undefined;
  categories: Categories;
}

/** `GET /animals?status=…&cursor=…`: a page of the list. `GET /animals?number=…` leads to one animal. */
export const listAnimals =
  (store: PetStore, { CATEGORIES_FILE: categories }: Config) =>
  async (c: Context<AppEnv>) => {
    const list = parseListQuery(c.req.query());
    if (list === undefined) return sendPage(c, BadLinkPage(c.var), 400);
    const { number } = c.req.query();
    if (number !== undefined) return redirectToAnimal(c, number.trim(), list);
    const page = await fetchPage(store, list, c.req.raw.signal);
    if (page === undefined) return sendPage(c, BadLinkPage(c.var), 400);
    return sendPage(c, <AnimalsPage {...page} list={list} categories={categories} user={c.var.user} />);
  };

function redirectToAnimal(c: Context<AppEnv>, number: string, list: ListQuery) {
  const id = parseInt64(number);
  if (id === undefined) return sendPage(c, AnimalNotFoundPage({ id: number, list, ...c.var }), 404);
  return c.redirect(animalPath(id, list));
}

/** @returns `undefined` when the pet store does not accept the cursor: only it knows which are valid */
async function fetchPage(store: PetStore, list: ListQuery, signal: AbortSignal) {
  try {
    const { body, next } = await store.withResponse.listPets({ ...list, limit: PAGE_SIZE }, { signal });
    return { pets: body, next };
  } catch (error) {
    if (isPetStoreError(error) && error.code === 'invalid_parameter') return undefined;
    throw error;
  }
}

const AnimalsPage = ({ user, ...page }: ListPage & { user: string }) => (
  <Layout title={listTitle(page.list.status)} user={user} list={page.list}>
    <h1>{listTitle(page.list.status)}</h1>
    <div class="toolbar">
      <nav class="filter" aria-label="Filter by status">
        {[...statuses, undefined].map((status) => (
          <a href={listPath({ status })} aria-current={status === page.list.status ? 'true' : undefined}>
            {status ? statusLabel(status) : 'All'}
          </a>
        ))}
      </nav>
      <form class="open-animal" action="/animals" method="get">
        <label for="number">Number</label>
        <input id="number" name="number" type="text" inputmode="numeric" autocomplete="off" required />
        {Object.entries(page.list).map(
          ([name, value]) => value && <input type="hidden" name={name} value={value} />,
        )}
        <button class="button" type="submit">
          Open
        </button>
      </form>
    </div>
    {page.list.cursor && (
      <p class="back">
        <a href={listPath({ status: page.list.status })}>First page</a>
      </p>
    )}
    <div class="pages">
      <AnimalsList {...page} />
    </div>
    <p class="visually-hidden" role="status" id="list-status" />
  </Layout>
);

/** One page of the list. The script of the page appends the next ones to it as they are. */
const AnimalsList = ({ pets, next, list, categories }: ListPage) => (
  <div class="animals-page" data-path={listPath(list)}>
    {pets.length === 0 ? (
      <NoAnimals {...list} />
    ) : (
      <ul class="animals">
        {pets.map((pet) => (
          <AnimalCard pet={pet} list={list} category={categoryName(categories, pet.categoryId)} />
        ))}
      </ul>
    )}
    {next ? (
      <p class="next-page">
        <a class="button" rel="next" href={listPath({ ...list, cursor: next })}>
          <span>Next page</span>
        </a>
      </p>
    ) : (
      pets.length > 0 && <p class="end">This is the end of the list.</p>
    )}
  </div>
);

const AnimalCard = ({ pet, list, category }: { pet: Pet; list: ListQuery; category: string | undefined }) => (
  <li id={cardId(pet.id)}>
    <a class="animal" href={animalPath(pet.id, list)}>
      <Portrait {...pet} />
      <span class="name">
        <AnimalName {...pet} />
      </span>
      <span class="category">{category ?? `Category ${pet.categoryId}`}</span>
      <StatusBadge {...pet} />
      <span class="number">No. {String(pet.id)}</span>
    </a>
  </li>
);

const NoAnimals = ({ status, cursor }: ListQuery) => (
  <div class="empty">
    <p>{cursor ? 'There are no more animals.' : `There are no ${status ? `${status} ` : ''}animals yet.`}</p>
    {status && (
      <p>
        <a href={listPath({})}>Show all animals</a>
      </p>
    )}
  </div>
);
