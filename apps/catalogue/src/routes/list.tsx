import type { Pet, PetStore } from '@petstore/client';
import type { Context } from 'hono';
import { type Categories, categoryName } from '../categories.ts';
import type { Config } from '../config.ts';
import { readJustAdded } from '../http/just-added.ts';
import { sendPage } from '../http/send-page.ts';
import type { AppEnv } from '../log.ts';
import { AnimalName, listTitle, StatusBadge, statuses, statusLabel } from '../pages/animal-parts.tsx';
import { Layout } from '../pages/layout.tsx';
import { animalPath, cardId, type ListQuery, listPath, parseListQuery } from '../paths.ts';

/** A multiple of one, two, three and four, so that the last row is full with any number of columns. */
const PAGE_SIZE = 60;

/** `GET /animals?status=…&cursor=…`: a page of the list. `GET /animals?number=…` leads to one animal. */
export const listAnimals =
  (store: PetStore, { CATEGORIES_FILE: categories }: Config) =>
  async (c: Context<AppEnv>) => {
    const list = parseListQuery(c.req.query());
    // "No. 7", as on the cards, is accepted too.
    const number = c.req.query('number')?.replaceAll(/\D/g, '');
    if (number !== undefined) return c.redirect(animalPath(BigInt(number), list));

    const added = list.cursor === undefined ? readJustAdded(c) : [];
    const [{ body: pets, next }, ...found] = await Promise.all([
      store.withResponse.listPets({ ...list, limit: PAGE_SIZE }),
      ...added.map((id) => store.getPet(id).catch(() => undefined)),
    ]);
    // Animals that are on this page already are not shown twice.
    const justAdded = found
      .filter((pet) => pet !== undefined)
      .filter((pet) => list.status === undefined || pet.status === list.status)
      .filter(({ id }) => !pets.some((pet) => pet.id === id));
    const page = (
      <Layout title={listTitle(list.status)}>
        <h1>{listTitle(list.status)}</h1>
        <div class="toolbar">
          <nav aria-label="Filter by status">
            {[...statuses, undefined].map((status) => (
              <a href={listPath({ status })} aria-current={status === list.status ? 'true' : undefined}>
                {status ? statusLabel(status) : 'All'}
              </a>
            ))}
          </nav>
          <form action="/animals" method="get">
            <label for="number">Number</label>
            <input id="number" name="number" type="text" inputmode="numeric" autocomplete="off" required />
            <button type="submit">Open</button>
          </form>
        </div>
        <p class="muted">In the order of their numbers, the newest last. There is no search for names.</p>
        {justAdded.length > 0 && (
          <section class="notice" aria-labelledby="just-added">
            <h2 id="just-added">Just added by you</h2>
            <AnimalCards pets={justAdded} list={list} categories={categories} />
          </section>
        )}
        <AnimalCards pets={pets} list={list} categories={categories} />
        {pets.length === 0 && <p>There are no animals here yet.</p>}
        {next && (
          <p>
            <a class="button" rel="next" href={listPath({ ...list, cursor: next })}>
              Next page
            </a>
          </p>
        )}
      </Layout>
    );
    return sendPage(c, page);
  };

type AnimalCardsProps = { pets: readonly Pet[]; list: ListQuery; categories: Categories };

const AnimalCards = ({ pets, list, categories }: AnimalCardsProps) =>
  pets.length > 0 && (
    <ul class="animals">
      {pets.map((pet) => (
        <li id={cardId(pet.id)}>
          <a href={animalPath(pet.id, list)}>
            <strong>
              <AnimalName {...pet} />
            </strong>
            <span class="muted">
              {categoryName(categories, pet.categoryId) ?? `Category ${pet.categoryId}`}
            </span>
            <StatusBadge {...pet} />
            <span class="muted">No. {String(pet.id)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
