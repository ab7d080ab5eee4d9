import type { Pet } from '@petstore/client';
import { statusLabel } from '../statuses.ts';

/** A name of nothing but spaces and characters without a width, which would leave a gap on a page. */
const BLANK = /^[\s\p{Z}\p{Cf}]*$/u;

/** The name in whatever script and direction it is written, without an influence on what stands around it. */
export const AnimalName = ({ name }: Pick<Pet, 'name'>) =>
  BLANK.test(name) ? <em>No name</em> : <bdi>{name}</bdi>;

export const StatusBadge = ({ status }: Pick<Pet, 'status'>) => (
  <span class={`status ${status ?? 'none'}`}>{statusLabel(status)}</span>
);

/** How many colours the style has for categories. */
const COLOURS = 6n;

/** The initial of the name, in a colour of the category. */
export const Portrait = ({ name, categoryId }: Pick<Pet, 'name' | 'categoryId'>) => {
  const colour = ((BigInt(categoryId) % COLOURS) + COLOURS) % COLOURS;
  return (
    <span class={`portrait colour-${colour}`} aria-hidden="true">
      {findInitial(name)}
    </span>
  );
};

/** The first letter, digit or symbol. */
function findInitial(name: string): string {
  for (const { segment } of new Intl.Segmenter().segment(name)) {
    if (/[\p{L}\p{N}\p{S}]/u.test(segment)) return segment.toUpperCase();
  }
  return '?';
}
