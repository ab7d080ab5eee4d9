import { randomUUID } from 'node:crypto';
import { type AnyPetStoreError, isPetStoreError, type PetStore } from '@petstore/client';
import { IdempotencyKey } from '@petstore/contract';
import type { Context } from 'hono';
import type { Config } from '../config.ts';
import { rememberJustAdded } from '../http/just-added.ts';
import { sendPage } from '../http/send-page.ts';
import type { AppEnv } from '../log.ts';
import { parseNewPet, readFormValues } from '../new-pet-form.ts';
import { sendMessage } from '../pages/message.tsx';
import { type Form, NewAnimalPage } from '../pages/new-animal.tsx';
import { animalPath, newAnimalPath, parseListQuery } from '../paths.ts';

export const newAnimalForm = (config: Config) => async (c: Context<AppEnv>) => {
  const form = readForm(c, config);
  if (form === undefined) return c.redirect(newAnimalPath(parseListQuery(c.req.query()), randomUUID()));
  return sendPage(c, NewAnimalPage(form));
};

/** `POST /animals/new`: adds the animal, and redirects to it. */
export const addAnimal = (store: PetStore, config: Config) => async (c: Context<AppEnv>) => {
  const empty = readForm(c, config);
  const data = await c.req.formData().catch(() => undefined);
  if (empty === undefined || data === undefined) return sendMessage(c, 400);
  const form = { ...empty, values: readFormValues(data) };
  const parsed = parseNewPet(form.values);
  if ('errors' in parsed) return sendPage(c, NewAnimalPage({ ...form, errors: parsed.errors }), 400);
  try {
    const { idempotencyKey } = form;
    const { body, headers } = await store.withResponse.createPet(parsed.pet, { idempotencyKey });
    rememberJustAdded(c, body.id);
    // After a retry, by the client or the page, a replayed response means that this click added the animal.
    const isRetry = data.has('retry') || (c.var.attempts ?? 1) > 1;
    const added = headers.has('idempotency-replayed') && !isRetry ? 'before' : 'now';
    // The first page of the list with the animal's status shows the animals that were just added.
    return c.redirect(animalPath(body.id, { status: body.status }, added), 303);
  } catch (error) {
    if (!isPetStoreError(error)) throw error;
    return sendRefusal(c, error, form);
  }
};

/** @returns an empty form, or `undefined` if the URL has no valid Idempotency-Key */
function readForm(c: Context<AppEnv>, { CATEGORIES_FILE: categories }: Config): Form | undefined {
  const { success, data: idempotencyKey } = IdempotencyKey.safeParse(c.req.query('key'));
  const values = { name: '', categoryId: '', status: 'available' };
  return success ? { idempotencyKey, values, categories, list: parseListQuery(c.req.query()) } : undefined;
}

/** Responds with the form as it was entered, and the reason why the animal was not added. */
function sendRefusal(c: Context<AppEnv>, error: AnyPetStoreError, form: Form) {
  c.set('error', error.message);
  if (error.isRetryable) {
    const notice = 'The service behind this catalogue has not confirmed yet that the animal was added.';
    return sendPage(c, NewAnimalPage({ ...form, notice, failure: 'unconfirmed' }), 503);
  }
  if (error.code !== 'idempotency_key_reused') {
    const notice = 'The animal was not added. Please tell your IT support, and quote the request below.';
    return sendPage(c, NewAnimalPage({ ...form, notice, failure: 'refused' }), 502);
  }
  const notice = `Nothing was added now. This form had added an animal before you changed it, and that animal stays
    as it is. To add this one as well, press Add.`;
  return sendPage(c, NewAnimalPage({ ...form, notice, idempotencyKey: randomUUID() }), 422);
}
