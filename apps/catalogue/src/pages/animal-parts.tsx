import type { Pet } from '@petstore/client';
import { statusLabel } from '../animals.ts';

/** The name in whatever script and direction it is written, without an influence on what stands around it. */
export const AnimalName = ({ name }: Pick<Pet, 'name'>) =>
  name.trim() === '' ? <em>No name</em> : <bdi>{name}</bdi>;

export const StatusBadge = ({ status }: Pick<Pet, 'status'>) => (
  <span class={`status ${status ?? 'none'}`}>{statusLabel(status)}</span>
);

/** How many colours the style has for categories. */
const COLOURS = 6n;

/** The initial of the name, in a colour of the category. */
export const Portrait = ({ name, categoryId }: Pick<Pet, 'name' | 'categoryId'>) => {
  const [first] = new Intl.Segmenter().segment(name.trim());
  const colour = ((BigInt(categoryId) % COLOURS) + COLOURS) % COLOURS;
  return (
    <span class={`portrait colour-${colour}`} aria-hidden="true">
      {first?.segment.toUpperCase() ?? '?'}
    </span>
  );
};
