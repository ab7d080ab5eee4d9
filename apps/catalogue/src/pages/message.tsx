import type { AnyPetStoreError } from '@petstore/client';
import type { Context } from 'hono';
import { getContext } from 'hono/context-storage';
import { sendPage } from '../http/send-page.ts';
import type { AppEnv } from '../log.ts';
import { Layout } from './layout.tsx';

const formRefused = ['This form cannot be used', 'Nothing was added.'] as const;
const broken = ['Something went wrong', 'Please tell your IT support, and quote the request below.'] as const;

const messages = {
  400: formRefused,
  401: ['You are not signed in', 'Open the catalogue through the sign-in of your organisation.'],
  403: formRefused,
  404: ['There is nothing here', 'No animal has this number, or the link is incomplete.'],
  500: broken,
  502: broken,
  503: ['The animals cannot be shown right now', 'The service behind this catalogue does not respond.'],
} as const;

export function sendMessage(c: Context, status: keyof typeof messages) {
  const [title, text] = messages[status];
  const page = (
    <Layout title={title}>
      <article>
        <h1>{title}</h1>
        <p>{text}</p>
        {status === 503 && <p data-retry>Please reload this page in a moment.</p>}
        <p>
          <a href="/animals">All animals</a>
        </p>
        <RequestId />
      </article>
    </Layout>
  );
  return sendPage(c, page, status);
}

export function sendFailure(c: Context, { code, message, isRetryable }: AnyPetStoreError) {
  c.set('error', message);
  // The only parameter that the pet store refuses is a cursor from an edited URL.
  if (code === 'pet_not_found' || code === 'invalid_parameter') return sendMessage(c, 404);
  return sendMessage(c, isRetryable ? 503 : 502);
}

/** Shows the request id, which users quote when they ask for help. */
export const RequestId = () => (
  <p>
    Request <code>{getContext<AppEnv>().var.requestId}</code>
  </p>
);
