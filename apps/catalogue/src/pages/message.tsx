import type { AnyPetStoreError } from '@petstore/client';
import type { Context } from 'hono';
import { getContext } from 'hono/context-storage';
import { sendPage } from '../http/send-page.ts';
import type { AppEnv } from '../log.ts';
import { retryText } from '../retry-text.ts';
import { Layout } from './layout.tsx';

const HOME = '/animals';

/** The first delay before a page tries again by itself, and the longest, which is the longest window of a rate limit. */
const MIN_RETRY_SECONDS = 3;
const MAX_RETRY_SECONDS = 24 * 60 * 60;
/** How often the delay doubles: up to 48 seconds, for which a user may wait. */
const MAX_DOUBLINGS = 4;

const formRefused = ['This form cannot be used', 'Nothing was added.'] as const;
const broken = ['Something went wrong', 'Please tell your IT support, and quote the request below.'] as const;

const messages = {
  400: formRefused,
  401: ['You are not signed in', 'Open the catalogue through the sign-in of your organisation.'],
  403: formRefused,
  404: ['There is nothing here', 'No animal has this number, or the link is incomplete.'],
  500: broken,
  502: broken,
} as const;

export function sendMessage(c: Context, status: keyof typeof messages) {
  const [title, text] = messages[status];
  return sendPage(c, <MessagePage title={title} text={text} />, status);
}

/** Responds to a request that the pet store has refused or failed. */
export function sendFailure(c: Context, error: AnyPetStoreError) {
  const { code, message, isRetryable } = error;
  c.set('error', message);
  // The only parameter that the pet store refuses is a cursor from an edited URL.
  if (code === 'pet_not_found' || code === 'invalid_parameter') return sendMessage(c, 404);
  if (!isRetryable) return sendMessage(c, 502);
  const failure = { text: describeFailure(error), retrySeconds: retrySecondsOf(error) };
  const page = <MessagePage title="The animals cannot be shown right now" {...failure} />;
  return sendPage(c, page, 503, failure);
}

const failures: Record<number, string> = {
  409: 'is still processing this addition',
  429: 'takes no more requests for the moment',
  500: 'has failed',
};

/** Says in a sentence what is wrong with the pet store. */
export function describeFailure({ status }: AnyPetStoreError): string {
  const failure =
    status === undefined ? 'does not respond' : (failures[status] ?? 'is not available at the moment');
  return `The service behind this catalogue ${failure}.`;
}

/** @param attempt how often the same page has failed before, so that it tries less and less often */
export function retrySecondsOf({ retryAfterMs = 0 }: AnyPetStoreError, attempt = 0): number {
  const seconds = Math.max(
    Math.ceil(retryAfterMs / 1_000),
    MIN_RETRY_SECONDS * 2 ** Math.min(attempt, MAX_DOUBLINGS),
  );
  return Math.min(seconds, MAX_RETRY_SECONDS);
}

interface MessageProps {
  title: string;
  text: string;
  retrySeconds?: number;
}

const MessagePage = ({ title, text, retrySeconds }: MessageProps) => {
  const { req, var: variables } = getContext<AppEnv>();
  // A link to the same page, or for a user who is not signed in, would lead nowhere.
  const hasLink = variables.user !== undefined && !req.url.endsWith(HOME);
  return (
    <Layout title={title}>
      <article>
        <h1>{title}</h1>
        <p>{text}</p>
        {retrySeconds !== undefined && (
          <p data-retry={retrySeconds}>Please reload this page {retryText(retrySeconds)}.</p>
        )}
        {hasLink && (
          <p>
            <a href={HOME}>All animals</a>
          </p>
        )}
        <RequestId />
      </article>
    </Layout>
  );
};

/** Shows the request id, which users quote when they ask for help. */
export const RequestId = () => (
  <p>
    Request <code>{getContext<AppEnv>().var.requestId}</code>
  </p>
);
