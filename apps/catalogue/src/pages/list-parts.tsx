import type { Pet } from '@petstore/client';
import type { Categories } from '../categories.ts';
import { animalPath, cardId, type ListQuery, listPath, newAnimalPath } from '../paths.ts';
import { AnimalName, cut, StatusBadge } from './animal-parts.tsx';

/** Opens an animal. @param props.number the text that was entered, if it was refused */
export const NumberForm = ({ list, number }: { list: ListQuery; number: string | undefined }) => (
  <form action="/animals" method="get">
    {Object.entries(list).map(([name, value]) => value && <input type="hidden" name={name} value={value} />)}
    <label for="number">Number</label>
    <input
      id="number"
      name="number"
      type="text"
      inputmode="numeric"
      autocomplete="off"
      required
      value={number}
      autofocus={number !== undefined}
      aria-invalid={number === undefined ? undefined : 'true'}
      aria-describedby="number-help"
    />
    <button type="submit">Open</button>
    <small id="number-help">{number !== undefined && 'Enter the number of an animal, such as 7'}</small>
  </form>
);

type PageLinksProps = { label: string; list: ListQuery; next: string | undefined };

/** Stands before and after the list: no user has to pass all animals. The pet store has no link to the previous page. */
export const PageLinks = ({ label, list: { status, cursor }, next }: PageLinksProps) =>
  (cursor || next) && (
    <nav class="actions" aria-label={label}>
      {cursor && (
        <a class="button" href={listPath({ status })}>
          First page
        </a>
      )}
      {next && (
        <a class="button" rel="next" href={listPath({ status, cursor: next })}>
          Next page
        </a>
      )}
    </nav>
  );

export const EmptyList = ({ status, cursor }: ListQuery) =>
  cursor ? (
    <p>There are no more animals.</p>
  ) : (
    <>
      <p>There are no animals here yet.</p>
      <p>
        <a class="button primary" href={newAnimalPath({ status })}>
          Add the first animal
        </a>
      </p>
    </>
  );

/** A name has no maximum length. A page of long names would take seconds. */
const MAX_NAME_LENGTH = 300;

const cutName = (name: string) => (name.length > MAX_NAME_LENGTH ? `${cut(name, MAX_NAME_LENGTH)}…` : name);

type AnimalCardsProps = { pets: readonly Pet[]; list: ListQuery; categories: Categories };

export const AnimalCards = ({ pets, list, categories }: AnimalCardsProps) =>
  pets.length > 0 && (
    <ul class="animals">
      {pets.map((pet) => (
        <li id={cardId(pet.id)}>
          <a href={animalPath(pet.id, list)}>
            <strong>
              <AnimalName name={cutName(pet.name)} />
            </strong>
            <span class="muted">
              {categories.get(String(pet.categoryId)) ?? `Category ${pet.categoryId}`}
            </span>
            <StatusBadge {...pet} />
            <span class="muted">No. {String(pet.id)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
