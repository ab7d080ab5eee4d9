import { isPetStoreError, type Pet, type PetStore } from '@petstore/client';
import { getPetDeprecation, parseInt64 } from '@petstore/contract';
import type { Context } from 'hono';
import { categoryName } from '../categories.ts';
import type { Config } from '../config.ts';
import type { AppEnv } from '../http/env.ts';
import { sendPage } from '../http/send-page.ts';
import { fields, otherFieldNames } from '../new-pet-form.ts';
import { AnimalName, Portrait, StatusBadge } from '../pages/animal-parts.tsx';
import { AnimalNotFoundPage } from '../pages/failure.tsx';
import { Layout } from '../pages/layout.tsx';
import { cardId, type ListQuery, listPath, parseListQuery } from '../paths.ts';
import { listTitle } from '../statuses.ts';

/** What the page says of the form that led to it. */
const notices = new Map([
  ['now', 'was added.'],
  ['before', 'had been added by this form already. It was not added again.'],
]);

/** `GET /animals/:id`. */
export const showAnimal =
  (store: PetStore, { CATEGORIES_FILE, NODE_ENV }: Config) =>
  async (c: Context<AppEnv>) => {
    const text = c.req.param('id') ?? '';
    const id = parseInt64(text.trim());
    const pet = id === undefined ? undefined : await fetchPet(store, id, c.req.raw.signal);
    const query = c.req.query();
    const list = parseListQuery(query) ?? {};
    if (pet === undefined) return sendPage(c, AnimalNotFoundPage({ id: text, list, ...c.var }), 404);
    return sendPage(
      c,
      <AnimalPage
        pet={pet}
        category={categoryName(CATEGORIES_FILE, pet.categoryId)}
        notice={notices.get(query.added ?? '')}
        list={list}
        user={c.var.user}
        isDevelopment={NODE_ENV === 'development'}
      />,
    );
  };

async function fetchPet(store: PetStore, id: Pet['id'], signal: AbortSignal): Promise<Pet | undefined> {
  try {
    return await store.getPet(id, { signal });
  } catch (error) {
    if (isPetStoreError(error) && error.code === 'pet_not_found') return undefined;
    throw error;
  }
}

interface AnimalPageProps {
  pet: Pet;
  category: string | undefined;
  notice: string | undefined;
  list: ListQuery;
  user: string;
  isDevelopment: boolean;
}

const AnimalPage = ({ pet, category, notice, list, user, isDevelopment }: AnimalPageProps) => (
  <Layout title={pet.name.trim() || `Animal ${pet.id}`} user={user} list={list}>
    <div class="narrow">
      <p class="back">
        <a href={`${listPath(list)}#${cardId(pet.id)}`}>{listTitle(list.status)}</a>
      </p>
      {notice && (
        <p class="notice" role="status">
          <AnimalName {...pet} /> {notice}
        </p>
      )}
      <article class="profile">
        <Portrait {...pet} />
        <div>
          <h1>
            <AnimalName {...pet} />
          </h1>
          <StatusBadge {...pet} />
        </div>
        <dl>
          <div>
            <dt>Number</dt>
            <dd>{String(pet.id)}</dd>
          </div>
          <div>
            <dt>Category</dt>
            <dd>{category ?? String(pet.categoryId)}</dd>
          </div>
          {otherFieldNames.map(
            (name) =>
              pet[name] !== undefined && (
                <div>
                  <dt>{fields[name].label}</dt>
                  <dd>{String(pet[name])}</dd>
                </div>
              ),
          )}
        </dl>
      </article>
      {isDevelopment && <DeprecationNotice />}
    </div>
  </Layout>
);

/** For developers only: users can do nothing about it. The client also warns in the log. */
const DeprecationNotice = () => (
  <aside class="developer-notice" aria-label="For developers">
    For developers: this page uses getPet, which is deprecated and will be removed on{' '}
    {getPetDeprecation.sunset.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })}.
  </aside>
);
