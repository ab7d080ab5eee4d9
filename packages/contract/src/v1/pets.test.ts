import { expect, test } from 'vitest';
import { encodeCursor } from './cursor.ts';
import { PetStatus } from './pet.ts';
import { ListPetsQuery } from './pets.ts';

const cursorOfAll = encodeCursor({ after: 20n });
// The next test covers only the messages. The conformance suite tests which parameters a service refuses.
test.each([
  [{ limit: '-1' }, 'limit', 'must be at least 1'],
  [{ limit: '1.5' }, 'limit', 'must be 1 to 100, in digits'],
  [{ limit: '9'.repeat(16) }, 'limit', 'must be 1 to 100, in digits'], // No safe integer.
  [{ limit: ['5', '6'] }, 'limit', 'must be given once'],
  [{ status: ['sold', 'sold'] }, 'status', 'must be given once'],
  [{ cursor: ['MjA', 'MjA'] }, 'cursor', 'must be given once'],
  [{ status: 'sold', cursor: cursorOfAll }, 'status', 'must be the status that the cursor was made with'],
  [{ status: 'lost' }, 'status', `must be one of ${PetStatus.options.join(', ')}`],
])('the query %o of listPets is refused with one message that says what is wrong', (query, name, message) => {
  expect(ListPetsQuery.safeParse(query).error?.issues).toMatchObject([{ path: [name], message }]);
});
