import type { PropsWithChildren } from 'hono/jsx';
import type { Categories } from '../categories.ts';
import {
  type FieldErrors,
  type FieldName,
  type FormValues,
  fields,
  isRequired,
  otherFieldNames,
} from '../new-pet-form.ts';
import { type ListQuery, listPath, newAnimalPath } from '../paths.ts';
import { statuses, statusLabel } from '../statuses.ts';
import { Layout } from './layout.tsx';

/** One form, which adds one animal however often it is submitted. */
export interface Form {
  /** In the URL: a reload, Back and a restored tab show the same form. */
  idempotencyKey: string;
  values: FormValues;
  categories: Categories;
  list: ListQuery;
  user: string;
}

interface NewAnimalPageProps extends Form {
  errors?: FieldErrors;
  /** Submits the form again by itself. */
  retryDelayMs?: number;
}

/** @param children what the page says above the form */
export const NewAnimalPage = ({
  idempotencyKey,
  values,
  categories,
  list,
  user,
  errors = {},
  retryDelayMs,
  children,
}: PropsWithChildren<NewAnimalPageProps>) => (
  <Layout title="Add an animal" user={user} list={list} isForm>
    <div class="narrow">
      <h1>Add an animal</h1>
      {children}
      <form
        class="new-animal"
        action={newAnimalPath(list, idempotencyKey)}
        method="post"
        data-retry-delay={retryDelayMs}
      >
        <Field name="name" errors={errors}>
          <input {...control('name', errors)} type="text" value={values.name} autocomplete="off" />
        </Field>
        {categories.size === 0 ? (
          <Field name="categoryId" errors={errors} hint="A number, such as 7">
            <input
              {...control('categoryId', errors)}
              type="text"
              value={values.categoryId}
              inputmode="numeric"
              autocomplete="off"
            />
          </Field>
        ) : (
          <Field name="categoryId" errors={errors}>
            <select {...control('categoryId', errors)}>
              <Options options={[['', 'Choose a category'], ...categories]} selected={values.categoryId} />
            </select>
          </Field>
        )}
        <Field name="status" errors={errors}>
          <select {...control('status', errors)}>
            <Options
              options={[...statuses, undefined].map((status) => [status ?? '', statusLabel(status)])}
              selected={values.status}
            />
          </select>
        </Field>
        {otherFieldNames.map((name) => (
          <Field name={name} errors={errors}>
            <input {...control(name, errors)} type="text" value={values[name]} autocomplete="off" />
          </Field>
        ))}
        <p class="limits">An animal cannot be changed or removed later. Please check before you add it.</p>
        <p class="actions">
          <button class="button primary" type="submit">
            Add
          </button>
          <a class="button" href={listPath(list)}>
            Cancel
          </a>
        </p>
      </form>
    </div>
  </Layout>
);

/** The attributes that connect the control of a field with its label, hint and error. */
const control = (name: FieldName, errors: FieldErrors) => ({
  id: name,
  name,
  'aria-describedby': `${name}-hint ${name}-error`,
  'aria-invalid': errors[name] ? ('true' as const) : undefined,
  autofocus: name === Object.keys(errors)[0],
  required: isRequired(name),
});

interface FieldProps {
  name: FieldName;
  errors: FieldErrors;
  hint?: string;
}

const Field = ({ name, errors, hint, children }: PropsWithChildren<FieldProps>) => (
  <div class="field">
    <label for={name}>
      {fields[name].label}
      {/* Screen readers say it of the control. */}
      {isRequired(name) && <span aria-hidden="true"> required</span>}
    </label>
    {children}
    <p class="hint" id={`${name}-hint`}>
      {hint}
    </p>
    <p class="error" id={`${name}-error`}>
      {errors[name]}
    </p>
  </div>
);

const Options = ({
  options,
  selected,
}: {
  options: [value: string, label: string][];
  selected: string | undefined;
}) =>
  options.map(([value, label]) => (
    <option value={value} selected={value === selected}>
      {label}
    </option>
  ));
