import { randomUUID } from 'node:crypto';
import { type AnyPetStoreError, isPetStoreError, type PetStore } from '@petstore/client';
import { IdempotencyKey } from '@petstore/contract';
import type { Context } from 'hono';
import type { PropsWithChildren } from 'hono/jsx';
import type { Config } from '../config.ts';
import type { AppEnv } from '../http/env.ts';
import { retryDelayOf, setRetryAfter } from '../http/send-failure.ts';
import { sendPage } from '../http/send-page.ts';
import { parseNewPet, readFormValues } from '../new-pet-form.ts';
import { FormRefusedPage, RequestId, TELL_SUPPORT } from '../pages/failure.tsx';
import { type Form, NewAnimalPage } from '../pages/new-animal.tsx';
import { animalPath, newAnimalPath, parseListQuery } from '../paths.ts';

/** `GET /animals/new`: the form. */
export const newAnimalForm = (config: Config) => async (c: Context<AppEnv>) => {
  const form = readForm(c, config);
  if (form === undefined) return c.redirect(newAnimalPath(readList(c), randomUUID()));
  return sendPage(c, <NewAnimalPage {...form} />);
};

/** `POST /animals/new`: adds the animal, and redirects to it. */
export const addAnimal = (store: PetStore, config: Config) => async (c: Context<AppEnv>) => {
  const empty = readForm(c, config);
  if (empty === undefined) return c.redirect(newAnimalPath(readList(c)), 303);
  const data = await c.req.formData().catch(() => undefined);
  if (data === undefined)
    return sendPage(c, FormRefusedPage({ title: 'This is no form of the catalogue', ...c.var }), 400);
  const form = { ...empty, values: readFormValues(data) };

  const parsed = parseNewPet(form.values);
  if ('errors' in parsed) return sendPage(c, <NewAnimalPage {...form} errors={parsed.errors} />, 400);
  try {
    const { idempotencyKey } = form;
    // Without the signal of the request: a browser that goes away must not leave it open what was added.
    const { body, headers } = await store.withResponse.createPet(parsed.pet, { idempotencyKey });
    const added = headers.has('idempotency-replayed') ? 'before' : 'now';
    return c.redirect(animalPath(body.id, form.list, added), 303);
  } catch (error) {
    if (!isPetStoreError(error)) throw error;
    return sendRefusal(c, error, form);
  }
};

const readList = (c: Context) => parseListQuery(c.req.query()) ?? {};

/** @returns an empty form, or `undefined` when the URL has no Idempotency-Key for one */
function readForm(c: Context<AppEnv>, { CATEGORIES_FILE: categories }: Config): Form | undefined {
  const key = IdempotencyKey.safeParse(c.req.query('key'));
  if (!key.success) return undefined;
  const values = { name: '', categoryId: '', status: 'available' };
  return { idempotencyKey: key.data, values, categories, list: readList(c), user: c.var.user };
}

/** Responds with the form, as it was entered, and why the animal was not added. */
function sendRefusal(c: Context<AppEnv>, error: AnyPetStoreError, form: Form) {
  const { requestId } = c.var;
  if (error.isRetryable) {
    setRetryAfter(c, error);
    const page = <UnconfirmedPage {...form} requestId={requestId} retryDelayMs={retryDelayOf(error)} />;
    return sendPage(c, page, 503);
  }
  if (error.code === 'idempotency_key_reused') return sendPage(c, <ReusedFormPage {...form} />, 422);
  if (error.code === 'body_too_large') {
    return sendPage(c, <NewAnimalPage {...form} errors={{ name: 'Name is too long' }} />, 400);
  }
  return sendPage(c, <RefusedFormPage {...form} requestId={requestId} />, 502);
}

const Warning = ({ requestId, children }: PropsWithChildren<{ requestId?: string }>) => (
  <div class="notice warning" role="alert">
    {children}
    {requestId && <RequestId id={requestId} />}
  </div>
);

/** A form that cannot be added before the operators have done something. */
const RefusedFormPage = ({ requestId, ...form }: Form & { requestId: string }) => (
  <NewAnimalPage {...form}>
    <Warning requestId={requestId}>
      <p>
        The animal was not added. {TELL_SUPPORT} Then press <b>Add</b> again.
      </p>
    </Warning>
  </NewAnimalPage>
);

const UnconfirmedPage = ({
  requestId,
  retryDelayMs,
  ...form
}: Form & { requestId: string; retryDelayMs: number }) => (
  <NewAnimalPage {...form} retryDelayMs={retryDelayMs}>
    <Warning requestId={requestId}>
      <p>
        It is not certain yet that the animal was added. Press <b>Add</b> again: it is added once, however
        often you press.
      </p>
      <p class="retrying script-only">This page tries again by itself, until you change the form.</p>
    </Warning>
  </NewAnimalPage>
);

/** A form that added an animal, was then gone back to, changed and submitted again. It gets a new key. */
const ReusedFormPage = (form: Form) => (
  <NewAnimalPage {...form} idempotencyKey={randomUUID()}>
    <Warning>
      <p>
        This form has added an animal before, with other details, and an animal cannot be changed. Nothing was
        added now. To add this one as well, press <b>Add</b>.
      </p>
    </Warning>
  </NewAnimalPage>
);
