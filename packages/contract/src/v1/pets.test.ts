import { describe, expect, test } from 'vitest';
import { encodeCursor } from './cursor.ts';
import { ListPetsQuery } from './pets.ts';
import { v1 } from './v1.ts';

const query = (parameters: Record<string, unknown>) => ListPetsQuery.safeParse(parameters);

describe('the query of listPets', () => {
  test.each([
    [{ limit: '-1' }, 'limit', 'must be at least 1'],
    [{ limit: '1.5' }, 'limit', 'must be an integer, in digits'],
    [{ limit: ['5', '6'] }, 'limit', 'must be given once'],
    [{ status: ['sold', 'sold'] }, 'status', 'must be given once'],
    [{ cursor: ['MjA', 'MjA'] }, 'cursor', 'must be given once'],
    [{ status: 'lost' }, 'status', 'must be one of available, pending, sold'],
  ])('refuses %o in one sentence that says what is wrong', (parameters, name, message) => {
    expect(query(parameters).error?.issues).toMatchObject([{ path: [name], message }]);
  });

  test.each(['1', '20', '100', '007'])('accepts the limit %s', (limit) => {
    expect(query({ limit }).data?.limit).toBe(Number(limit));
  });

  test.each(['0', '101', '0x10', '1e1', '+5', ' 5 ', '', '5\n', '٣', 'abc', '9'.repeat(400)])(
    'refuses the limit %o',
    (limit) => {
      expect(query({ limit }).success).toBe(false);
    },
  );

  test.each(['', '20', '%%%', ['MjA', 'MjA']])('refuses the cursor %o', (cursor) => {
    expect(query({ cursor }).success).toBe(false);
  });

  test('accepts a cursor with the status that it was made with, or with none', () => {
    const cursor = encodeCursor({ after: 20, status: 'sold' });
    expect(query({ cursor }).data?.cursor).toEqual({ after: 20, status: 'sold' });
    expect(query({ cursor, status: 'sold' }).success).toBe(true);
    expect(query({ cursor, status: 'pending' }).error?.issues[0]?.path).toEqual(['status']);
    expect(query({ cursor: encodeCursor({ after: 20 }), status: 'sold' }).success).toBe(false);
  });
});

describe('the path parameter of getPet', () => {
  const { pathParams } = v1.contract.pets.getPet;

  test('is parsed without rounding', () => {
    expect(pathParams.parse({ petId: '42' })).toEqual({ petId: 42 });
    expect(pathParams.parse({ petId: '9007199254740993' })).toEqual({ petId: 9007199254740993n });
  });
});
