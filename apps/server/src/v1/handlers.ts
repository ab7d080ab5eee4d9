import type { AppRoute, ServerInferRequest, ServerInferResponses } from '@ts-rest/core';
import type { RequestContext } from '../http/pipeline/request-context.ts';

/** What surrounds the validated request of an operation: how its handler reaches the caller and the response. */
export interface OperationContext {
  readonly request: RequestContext;
  /** Headers of the response beside those of every response: names and values in turn. */
  readonly headers: string[];
}

/** Takes a request as the schemas of its operation give it, and returns one of the responses of the operation. */
type Handler<Route extends AppRoute> = (
  input: ServerInferRequest<Route> & { operation: OperationContext },
) => Promise<ServerInferResponses<Route>>;

/** A handler for each operation of a resource: one that the contract adds does not compile without. */
export type Handlers<Routes extends Record<string, AppRoute>> = {
  [Name in keyof Routes]: Handler<Routes[Name]>;
};
