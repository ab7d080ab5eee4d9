import { applyPreconditions } from '../responses/preconditions.ts';
import type { Response } from '../responses/response.ts';
import { sendResponse } from '../responses/send-response.ts';
import type { RequestContext } from './request-context.ts';
import type { Step } from './step.ts';

/**
 * Joins steps to the function that responds to a request. It never rejects: what a step throws becomes an
 * error response.
 */
export function createPipeline(
  steps: readonly Step[],
  toErrorResponse: (thrown: unknown, request: RequestContext) => Response,
) {
  return async (request: RequestContext): Promise<void> => {
    let response: Response;
    try {
      response = applyPreconditions(request.req, await runSteps(steps, request));
    } catch (thrown) {
      response = toErrorResponse(thrown, request);
    }
    sendResponse(request, response);
  };
}

async function runSteps(steps: readonly Step[], request: RequestContext): Promise<Response> {
  for (const step of steps) {
    const response = await step(request);
    if (response !== undefined) return response;
  }
  throw new Error(`No step responded to ${request.req.method} ${request.path}`);
}
