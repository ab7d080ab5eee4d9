import type { Pet, PetStore } from '@petstore/client';
import { parseInt64 } from '@petstore/contract';
import type { Context } from 'hono';
import type { Config } from '../config.ts';
import { sendPage } from '../http/send-page.ts';
import type { AppEnv } from '../log.ts';
import { listTitle, statuses, statusLabel } from '../pages/animal-parts.tsx';
import { Layout } from '../pages/layout.tsx';
import { AnimalCards, EmptyList, NumberForm, PageLinks } from '../pages/list-parts.tsx';
import { animalPath, listPath, parseListQuery } from '../paths.ts';

/** A multiple of one, two, three and four, so that the last row is full with any number of columns. */
const PAGE_SIZE = 60;

/** `GET /animals?status=…&cursor=…`: a page of the list. With `number=…`, it redirects to an animal, or returns 400. */
export const listAnimals =
  (store: PetStore, { CATEGORIES_FILE: categories }: Config) =>
  async (c: Context<AppEnv>) => {
    const list = parseListQuery(c.req.query());
    const { number } = c.req.query();
    const id = parseNumber(number);
    if (id !== undefined) return c.redirect(animalPath(id, list));

    const { body: pets, next } = await store.withResponse.listPets({ ...list, limit: PAGE_SIZE });
    const [first] = pets;
    const title = listTitle(list.status) + (list.cursor && first ? ` from No. ${first.id}` : '');
    const page = (
      <Layout title={title}>
        <h1>{title}</h1>
        <div class="toolbar">
          <nav class="filters" aria-label="Filter by status">
            {[...statuses, undefined].map((status) => (
              <a href={listPath({ status })} aria-current={status === list.status ? 'true' : undefined}>
                {status ? statusLabel(status) : 'All'}
              </a>
            ))}
          </nav>
          <NumberForm list={list} number={number} />
        </div>
        <p class="muted">In the order of their numbers, the newest last. There is no search for names.</p>
        <PageLinks label="Pages" list={list} next={next} />
        <AnimalCards pets={pets} list={list} categories={categories} />
        {pets.length === 0 && <EmptyList {...list} />}
        <PageLinks label="Pages, after the list" list={list} next={next} />
      </Layout>
    );
    return sendPage(c, page, number === undefined ? 200 : 400);
  };

/** @returns the number of an animal, also from "No. 7" as on the cards; `undefined` for any other text */
function parseNumber(text = ''): Pet['id'] | undefined {
  const [, digits = ''] = /^\s*(?:no\.?|#)?\s*0*([1-9]\d*)\s*$/i.exec(text) ?? [];
  return parseInt64(digits);
}
