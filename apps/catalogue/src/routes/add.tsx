import { hash, randomUUID } from 'node:crypto';
import { type AnyPetStoreError, isPetStoreError, type PetStore } from '@petstore/client';
import { IdempotencyKey } from '@petstore/contract';
import type { Context } from 'hono';
import type { Config } from '../config.ts';
import { setNotice } from '../http/notice.ts';
import { sendPage } from '../http/send-page.ts';
import type { AppEnv } from '../log.ts';
import { parseNewPet, readFormValues } from '../new-pet-form.ts';
import { describeFailure, sendMessage } from '../pages/message.tsx';
import { type Form, NewAnimalPage } from '../pages/new-animal.tsx';
import { animalPath, newAnimalPath, parseListQuery } from '../paths.ts';

/** `GET /animals/new?key=…`: the form. Without a key, it redirects to a form with a new key. */
export const newAnimalForm = (config: Config) => async (c: Context<AppEnv>) => {
  const form = readForm(c, config);
  if (form === undefined) {
    const { categoryId, ...list } = c.req.query();
    return c.redirect(newAnimalPath({ key: randomUUID(), categoryId, ...parseListQuery(list) }));
  }
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
    setNotice(c, body.id, headers.has('idempotency-replayed') ? 'replayed' : 'added');
    return c.redirect(animalPath(body.id, form.list), 303);
  } catch (error) {
    if (!isPetStoreError(error)) throw error;
    if (error.code === 'body_too_large') return sendMessage(c, 413, error.message);
    return sendFormAgain(c, error, form);
  }
};

/** @returns an empty form, or `undefined` if the URL has no valid Idempotency-Key */
function readForm(c: Context<AppEnv>, { CATEGORIES_FILE: categories }: Config): Form | undefined {
  const { success, data: idempotencyKey } = IdempotencyKey.safeParse(c.req.query('key'));
  const values = { name: '', categoryId: c.req.query('categoryId') ?? '', status: 'available' };
  return success ? { idempotencyKey, values, categories, list: parseListQuery(c.req.query()) } : undefined;
}

/** Responds with the form as it was entered, and a notice of what is known about the addition. */
function sendFormAgain(c: Context<AppEnv>, error: AnyPetStoreError, form: Form) {
  c.set('error', error.message);
  if (error.isRetryable) {
    const text = `${describeFailure(error)} It has not confirmed that the animal was added. Press Add again in a
      moment: the animal is added once, however often you press.`;
    return sendPage(c, NewAnimalPage({ ...form, notice: { kind: 'warning', text } }), 503);
  }
  if (error.code !== 'idempotency_key_reused') {
    const isUnknown = error.code === 'unexpected_response';
    const text = `${isUnknown ? 'It is unknown whether the animal was added' : 'The animal was not added'}. Please
      tell your IT support, and quote the request below.`;
    return sendPage(c, NewAnimalPage({ ...form, notice: { kind: 'error', text } }), 502);
  }
  const text = `Nothing was added now. This form had added an animal before you changed it, and that animal stays
    as it is. To add this one as well, press Add.`;
  const notice = { kind: 'warning', text } as const;
  // Not a random key: a browser may repeat this request, and must get a form with the same key again.
  const idempotencyKey = hash('sha256', form.idempotencyKey + JSON.stringify(form.values));
  return sendPage(c, NewAnimalPage({ ...form, notice, idempotencyKey }), 422);
}
