import type { AnyPetStoreError } from '@petstore/client';
import type { Context } from 'hono';
import { getContext } from 'hono/context-storage';
import { sendPage } from '../http/send-page.ts';
import type { AppEnv } from '../log.ts';
import { listPath } from '../paths.ts';
import { Layout } from './layout.tsx';

/** The shortest delay before the browser reloads a page: a user can read it first. */
const MIN_RETRY_SECONDS = 5;

const formRefused = ['This form cannot be used', 'Nothing was added.'] as const;
const broken = ['Something went wrong', 'Please tell your IT support, and quote the request below.'] as const;

const messages = {
  400: formRefused,
  401: ['You are not signed in', 'Open the catalogue through the sign-in of your organisation.'],
  403: formRefused,
  404: ['There is nothing here', 'No animal has this number, or the link is incomplete.'],
  413: ['This form is too long', 'Nothing was added.'],
  500: broken,
  502: broken,
} as const;

/** @param error why the request failed. Only the log has it, because strangers may see the page. */
export function sendMessage(c: Context<AppEnv>, status: keyof typeof messages, error = c.var.error) {
  c.set('error', error);
  const [title, text] = messages[status];
  return sendPage(c, <MessagePage title={title} text={text} />, status);
}

/** Responds to a request that the pet store has refused or failed. */
export function sendFailure(c: Context, error: AnyPetStoreError) {
  const { code, message, isRetryable, retryAfterMs = 0 } = error;
  c.set('error', message);
  // The only parameter that the pet store refuses is a cursor from an edited URL.
  if (code === 'pet_not_found' || code === 'invalid_parameter') return sendMessage(c, 404);
  if (!isRetryable) return sendMessage(c, 502);
  const retrySeconds = Math.max(MIN_RETRY_SECONDS, Math.ceil(retryAfterMs / 1_000));
  c.header('Retry-After', String(retrySeconds));
  // The browser reloads the page after this time (HTML, section "The `Refresh` header").
  c.header('Refresh', String(retrySeconds));
  const text = `${describeFailure(error)} This page reloads by itself.`;
  return sendPage(c, <MessagePage title="The animals cannot be shown right now" text={text} />, 503);
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

const MessagePage = ({ title, text }: { title: string; text: string }) => (
  <Layout title={title}>
    <article>
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a href={listPath({})}>All animals</a>
      </p>
      <RequestId />
    </article>
  </Layout>
);

/** Shows the request id, which users quote when they ask for help. */
export const RequestId = () => (
  <p>
    Request <code>{getContext<AppEnv>().var.requestId}</code>
  </p>
);
