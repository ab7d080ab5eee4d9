import { isPetStoreError, type Pet, type PetStore } from '@petstore/client';
import { getPetDeprecation, parseInt64 } from '@petstore/contract';
import type { Context } from 'hono';
import type { Config } from '../config.ts';
import type { AppEnv } from '../http/env.ts';
import { sendPage } from '../http/send-page.ts';
import { AnimalName, Portrait, StatusBadge } from '../pages/animal-parts.tsx';
import { AnimalNotFoundPage } from '../pages/failure.tsx';
import { Layout } from '../pages/layout.tsx';

/** What the page says of the way that led to it. */
const notices = new Map([
  ['now', 'was added.'],
  ['before', 'had been added by this form already. It was not added again.'],
]);

/** `GET /animals/:id`. */
export const showAnimal =
  (store: PetStore, { NODE_ENV }: Config) =>
  async (c: Context<AppEnv>) => {
    const text = c.req.param('id') ?? '';
    const id = parseInt64(text.trim());
    const pet = id === undefined ? undefined : await fetchPet(store, id, c.req.raw.signal);
    if (pet === undefined) return sendPage(c, AnimalNotFoundPage({ id: text, ...c.var }), 404);
    const notice = notices.get(c.req.query('added') ?? '');
    return sendPage(
      c,
      <AnimalPage pet={pet} notice={notice} user={c.var.user} isDevelopment={NODE_ENV === 'development'} />,
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
  notice: string | undefined;
  user: string;
  isDevelopment: boolean;
}

const AnimalPage = ({ pet, notice, user, isDevelopment }: AnimalPageProps) => (
  <Layout title={pet.name.trim() || `Animal ${pet.id}`} user={user}>
    <p class="back">
      <a href="/animals?status=available">Available animals</a>
    </p>
    {notice && (
      <p class="notice" role="status">
        <AnimalName {...pet} /> {notice} <a href="/animals/new">Add another animal</a>
      </p>
    )}
    <article class="profile">
      <Portrait {...pet} />
      <h1>
        <AnimalName {...pet} />
      </h1>
      <dl>
        <dt>Number</dt>
        <dd>{String(pet.id)}</dd>
        <dt>Category</dt>
        <dd>{String(pet.categoryId)}</dd>
        <dt>Status</dt>
        <dd>
          <StatusBadge {...pet} />
        </dd>
      </dl>
    </article>
    <p class="limits">The pet store cannot change or remove an animal.</p>
    {isDevelopment && <DeprecationNotice />}
  </Layout>
);

/** For developers only: users can do nothing about it. The client also warns in the log. */
const DeprecationNotice = () => (
  <aside class="developer-notice" aria-label="For developers">
    For developers: this page uses getPet, which is deprecated and will be removed on{' '}
    {getPetDeprecation.sunset.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })}.
  </aside>
);
