import type { RequestIdVariables } from 'hono/request-id';

/** What the app finds out about a request, for the pages, for the client and for the log. */
export interface AppEnv {
  Variables: RequestIdVariables & {
    /** The user, as the proxy names them. */
    user?: string;
    /** How often the client has sent its last request for the page. */
    attempts?: number;
    /** Why the pet store did not give what the page needs. */
    error?: string;
  };
}
