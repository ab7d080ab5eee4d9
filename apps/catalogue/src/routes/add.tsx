import { randomUUID } from 'node:crypto';
import { type AnyPetStoreError, isPetStoreError, type PetStore } from '@petstore/client';
import { IdempotencyKey } from '@petstore/contract';
import type { Context } from 'hono';
import type { PropsWithChildren } from 'hono/jsx';
import { animalPath, statuses, statusLabel } from '../animals.ts';
import type { AppEnv } from '../http/env.ts';
import { retryDelayOf, setRetryAfter } from '../http/send-failure.ts';
import { sendPage } from '../http/send-page.ts';
import {
  type FieldErrors,
  type FieldName,
  type FormValues,
  fields,
  parseNewPet,
  readFormValues,
} from '../new-pet-form.ts';
import { explainFailure, MalformedFormPage, RequestId } from '../pages/failure.tsx';
import { Layout } from '../pages/layout.tsx';

/** One form, which adds one animal however often it is submitted. */
interface Form {
  idempotencyKey: string;
  values: FormValues;
  user: string;
}

const newForm = ({ user }: { user: string }): Form => ({
  idempotencyKey: randomUUID(),
  values: { name: '', categoryId: '', status: 'available' },
  user,
});

/** The Idempotency-Key is in the URL: a reload, Back and a restored tab show the same form. */
const formPath = (idempotencyKey: string) => `/animals/new?${new URLSearchParams({ key: idempotencyKey })}`;

/** `GET /animals/new`: the form. */
export const newAnimalForm = (c: Context<AppEnv>) => {
  const form = newForm(c.var);
  const key = IdempotencyKey.safeParse(c.req.query('key'));
  if (!key.success) return c.redirect(formPath(form.idempotencyKey));
  return sendPage(c, <NewAnimalPage {...form} idempotencyKey={key.data} />);
};

/** `POST /animals/new`: adds the animal, and redirects to it. */
export const addAnimal = (store: PetStore) => async (c: Context<AppEnv>) => {
  const key = IdempotencyKey.safeParse(c.req.query('key'));
  if (!key.success) return c.redirect('/animals/new', 303);
  const data = await c.req.formData().catch(() => undefined);
  if (data === undefined) return sendPage(c, MalformedFormPage(c.var), 400);
  const values = readFormValues(data);
  const form = { ...newForm(c.var), values, idempotencyKey: key.data };

  const parsed = parseNewPet(values);
  if ('errors' in parsed) return sendPage(c, <NewAnimalPage {...form} errors={parsed.errors} />, 400);
  try {
    // Without the signal of the request: a browser that goes away must not leave it open what was added.
    const { body, headers } = await store.withResponse.createPet(parsed.pet, form);
    const added = headers.has('idempotency-replayed') ? 'before' : 'now';
    return c.redirect(`${animalPath(body.id)}?added=${added}`, 303);
  } catch (error) {
    if (!isPetStoreError(error)) throw error;
    return sendRefusal(c, error, form);
  }
};

/** Responds with the form, as it was entered, and why the animal was not added. */
function sendRefusal(c: Context<AppEnv>, error: AnyPetStoreError, form: Form) {
  if (error.isRetryable) {
    setRetryAfter(c, error);
    const retryDelayMs = retryDelayOf(error);
    return sendPage(c, <UnconfirmedPage {...form} {...c.var} retryDelayMs={retryDelayMs} />, 503);
  }
  if (error.code === 'idempotency_key_reused') return sendPage(c, <ReusedFormPage {...form} />, 422);
  if (error.code === 'body_too_large') {
    return sendPage(c, <NewAnimalPage {...form} errors={{ name: `${fields.name} is too long` }} />, 400);
  }
  return sendPage(c, <RefusedFormPage {...form} {...c.var} error={error} />, 502);
}

/** A form that cannot be added before the operators have done something. */
const RefusedFormPage = ({
  requestId,
  error,
  ...form
}: Form & { requestId: string; error: AnyPetStoreError }) => (
  <NewAnimalPage {...form}>
    <div class="notice warning" role="alert">
      <p>
        {explainFailure(error)} Then press <b>Add</b> again: the animal is added once.
      </p>
      <RequestId id={requestId} />
    </div>
  </NewAnimalPage>
);

const UnconfirmedPage = ({
  requestId,
  retryDelayMs,
  ...form
}: Form & { requestId: string; retryDelayMs: number }) => (
  <NewAnimalPage {...form} retryDelayMs={retryDelayMs}>
    <div class="notice warning" role="alert">
      <p>
        The pet store has not confirmed the animal yet. Press <b>Add</b> again: it is added once, also if it
        was added already.
      </p>
      <p class="retrying script-only">This page tries again by itself, until you change the form.</p>
      <RequestId id={requestId} />
    </div>
  </NewAnimalPage>
);

/** A form that added an animal, was then gone back to, changed and submitted again. It gets a new key. */
const ReusedFormPage = (form: Form) => (
  <NewAnimalPage {...form} idempotencyKey={randomUUID()}>
    <div class="notice warning" role="alert">
      <p>
        This form has added an animal before, with other details, and an animal cannot be changed. Nothing was
        added now. To add this one as well, press <b>Add</b>.
      </p>
    </div>
  </NewAnimalPage>
);

interface NewAnimalPageProps extends Form {
  errors?: FieldErrors;
  /** Submits the form again by itself. */
  retryDelayMs?: number;
}

const NewAnimalPage = ({
  idempotencyKey,
  values,
  errors = {},
  retryDelayMs,
  user,
  children,
}: PropsWithChildren<NewAnimalPageProps>) => (
  <Layout title="Add an animal" user={user} section="add" scripts={['form.js']}>
    <h1>Add an animal</h1>
    {children}
    <form class="new-animal" action={formPath(idempotencyKey)} method="post" data-retry-delay={retryDelayMs}>
      <Field name="name" errors={errors}>
        <input {...control('name', errors)} value={values.name} />
      </Field>
      <Field name="categoryId" errors={errors} hint="The number of the category, in digits.">
        <input {...control('categoryId', errors)} value={values.categoryId} inputmode="numeric" />
      </Field>
      <Field name="status" errors={errors}>
        <select {...control('status', errors)}>
          {[...statuses, undefined].map((status) => (
            <option value={status ?? ''} selected={(status ?? '') === values.status}>
              {statusLabel(status)}
            </option>
          ))}
        </select>
      </Field>
      <p class="limits">The pet store cannot change or remove an animal: please check before you add it.</p>
      <p class="actions">
        <button class="button primary" type="submit">
          Add
        </button>
        <a class="button" href="/animals?status=available">
          Cancel
        </a>
      </p>
    </form>
  </Layout>
);

/** The attributes that connect the control of a field with its label, hint and error. */
const control = (name: FieldName, errors: FieldErrors) => ({
  id: name,
  name,
  'aria-describedby': `${name}-hint ${name}-error`,
  'aria-invalid': errors[name] ? ('true' as const) : undefined,
  autofocus: name === Object.keys(errors)[0],
});

interface FieldProps {
  name: FieldName;
  errors: FieldErrors;
  hint?: string;
}

const Field = ({ name, errors, hint, children }: PropsWithChildren<FieldProps>) => (
  <div class="field">
    <label for={name}>{fields[name]}</label>
    {children}
    <p class="hint" id={`${name}-hint`}>
      {hint}
    </p>
    <p class="error" id={`${name}-error`}>
      {errors[name]}
    </p>
  </div>
);
