import type { Categories } from '../categories.ts';
import { type FieldName, type FieldTexts, fields, genericFieldNames, isRequired } from '../new-pet-form.ts';
import { type ListQuery, listPath, newAnimalPath } from '../paths.ts';
import { statuses, statusLabel } from './animal-parts.tsx';
import { Layout } from './layout.tsx';
import { RequestId } from './message.tsx';

/** A form adds one animal, however often it is submitted. */
export interface Form {
  /** Part of the URL, so that a reload, Back and a restored tab show the same form. */
  idempotencyKey: string;
  values: FieldTexts;
  errors?: FieldTexts;
  categories: Categories;
  list: ListQuery;
  notice?: FormNotice;
}

/** Explains that the animal was not added, or that this is unknown. */
interface FormNotice {
  kind: 'warning' | 'error';
  text: string;
}

type Options = readonly (readonly [value: string, label: string])[];

const statusOptions: Options = [...statuses, undefined].map((status) => [status ?? '', statusLabel(status)]);

export const NewAnimalPage = (form: Form) => (
  <Layout title="Add an animal">
    <h1>Add an animal</h1>
    {form.notice && <Notice {...form.notice} />}
    <article>
      <form action={newAnimalPath({ key: form.idempotencyKey, ...form.list })} method="post">
        <Field {...form} name="name" />
        {form.categories.size === 0 ? (
          <Field {...form} name="categoryId" />
        ) : (
          <Field {...form} name="categoryId" options={[['', 'Choose a category'], ...form.categories]} />
        )}
        <Field {...form} name="status" options={statusOptions} />
        {genericFieldNames.map((name) => (
          <Field {...form} name={name} />
        ))}
        <p class="muted">An animal cannot be changed or removed later. Please check before you add it.</p>
        <p class="actions">
          <button type="submit">Add</button>
          <a class="button" href={listPath(form.list)}>
            Cancel
          </a>
        </p>
      </form>
    </article>
  </Layout>
);

const Notice = ({ kind, text }: FormNotice) => (
  <div class={`notice ${kind}`} role="alert">
    <p>{text}</p>
    <RequestId />
  </div>
);

interface FieldProps extends Form {
  name: FieldName;
  /** The options of a select. @default a text input */
  options?: Options;
}

const Field = ({ name, values, errors = {}, options }: FieldProps) => {
  const control = {
    id: name,
    name,
    'aria-describedby': `${name}-help`,
    'aria-invalid': errors[name] ? ('true' as const) : undefined,
    autofocus: name === Object.keys(errors)[0],
    required: isRequired(name),
  };
  return (
    <div>
      <label for={name}>{isRequired(name) ? fields[name].label : `${fields[name].label} (optional)`}</label>
      {options ? (
        <select {...control}>
          {options.map(([value, label]) => (
            <option value={value} selected={value === values[name]}>
              {label}
            </option>
          ))}
        </select>
      ) : (
        <input {...control} type="text" value={values[name]} autocomplete="off" />
      )}
      <small id={`${name}-help`}>{errors[name]}</small>
    </div>
  );
};
