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
