import { HttpError } from '../http-error.ts';
import type { Step } from '../pipeline.ts';
import { bearerChallenge } from './authenticate.ts';

/** Refuses an API key that lacks the scope of the operation (RFC 6750, 3.1). A key that may write may also read. */
export const requireScope: Step = ({ route, apiKey }) => {
  if (route?.scope !== 'write' || apiKey?.scope === 'write') return undefined;
  const { scope } = route;
  throw new HttpError(
    'insufficient_scope',
    undefined,
    bearerChallenge({ error: 'insufficient_scope', scope }),
  );
};
