import type { Pet, PetStore } from '@petstore/client';
import { parseInt64 } from '@petstore/contract';
import type { Context } from 'hono';
import type { Config } from '../config.ts';
import { takeNotice } from '../http/notice.ts';
import { sendPage } from '../http/send-page.ts';
import type { AppEnv } from '../log.ts';
import { fields, genericFieldNames } from '../new-pet-form.ts';
import { AnimalName, animalTitle, listTitle, StatusBadge } from '../pages/animal-parts.tsx';
import { Layout } from '../pages/layout.tsx';
import { sendMessage } from '../pages/message.tsx';
import { cardId, listPath, newAnimalPath, parseListQuery } from '../paths.ts';

/** The notices after a submitted form. */
const notices = new Map([
  ['added', 'was added.'],
  ['replayed', 'was added once: a form adds one animal, however often Add is pressed.'],
]);

export const showAnimal =
  (store: PetStore, { CATEGORIES_FILE: categories }: Config) =>
  async (c: Context<AppEnv, '/animals/:id'>) => {
    const id = parseInt64(c.req.param('id'));
    if (id === undefined) return sendMessage(c, 404);
    const pet = await store.getPet(id);
    const list = parseListQuery(c.req.query());
    const notice = notices.get(takeNotice(c, id) ?? '');
    const another = newAnimalPath({ categoryId: String(pet.categoryId), ...list });
    const page = (
      <Layout title={animalTitle(pet)}>
        <p class="back">
          <a href={`${listPath(list)}#${cardId(pet.id)}`}>{listTitle(list.status)}</a>
        </p>
        {notice && (
          <div class="notice">
            <p role="status">
              <AnimalName {...pet} /> {notice}
            </p>
            <a href={another}>Add another</a>
          </div>
        )}
        <article>
          <h1>
            <AnimalName {...pet} />
          </h1>
          <StatusBadge {...pet} />
          <dl>
            <Detail label="Number" value={pet.id} />
            <Detail label="Category" value={categories.get(String(pet.categoryId)) ?? pet.categoryId} />
            {genericFieldNames.map((name) => (
              <Detail label={fields[name].label} value={pet[name]} />
            ))}
          </dl>
          <p class="muted">
            An animal stays as it was added. The service behind this catalogue cannot change or remove it, nor
            mark it as sold.
          </p>
        </article>
      </Layout>
    );
    return sendPage(c, page);
  };

const Detail = ({ label, value }: { label: string; value: Pet[keyof Pet] }) =>
  value !== undefined && (
    <>
      <dt>{label}</dt>
      <dd>{String(value)}</dd>
    </>
  );
