import type { AnyPetStoreError } from '@petstore/client';
import type { PropsWithChildren } from 'hono/jsx';
import { type ListQuery, listPath } from '../paths.ts';
import { listTitle } from '../statuses.ts';
import { Layout } from './layout.tsx';

interface RequestProps {
  requestId: string;
  user?: string | undefined;
}

interface MessageProps extends RequestProps {
  title: string;
  list?: ListQuery;
  retryDelayMs?: number;
}

/** A page that says calmly what is wrong, and under which id it is in the logs. */
const Message = ({ title, requestId, children, ...layout }: PropsWithChildren<MessageProps>) => (
  <Layout title={title} {...layout}>
    <section class="message">
      <h1>{title}</h1>
      {children}
      <RequestId id={requestId} />
    </section>
  </Layout>
);

/** What a user quotes when asking for help. */
export const RequestId = ({ id }: { id: string }) => (
  <p class="request-id">
    Request <code>{id}</code>
  </p>
);

/** What only the operators can repair. The log has the reason. */
export const TELL_SUPPORT =
  'This catalogue and the service behind it do not work together. Please tell your IT support, and quote the request below.';

/** The page in place of one that the pet store could not give. */
export const PetStoreFailurePage = ({
  error,
  path,
  retryDelayMs,
  ...props
}: RequestProps & { error: AnyPetStoreError; path: string; retryDelayMs: number }) =>
  error.isRetryable ? (
    <Message title="The animals cannot be shown right now" retryDelayMs={retryDelayMs} {...props}>
      <p>
        {error.name === 'TimeoutError'
          ? 'Loading them takes too long.'
          : 'The service behind this catalogue cannot be reached.'}
      </p>
      <p class="retrying" role="status">
        This page tries again by itself.
      </p>
      <p>
        <a class="button" href={path}>
          Try now
        </a>
      </p>
    </Message>
  ) : (
    <Message title="The animals cannot be shown" {...props}>
      <p>{TELL_SUPPORT}</p>
    </Message>
  );

export const NotFoundPage = (props: RequestProps) => (
  <Message title="There is nothing here" {...props}>
    <p>
      The address may be mistyped. All animals are in <a href="/animals">the list</a>.
    </p>
  </Message>
);

/** For a list whose status or cursor is not one that the pet store gave. */
export const BadLinkPage = (props: RequestProps) => (
  <Message title="This is not a page of the list" {...props}>
    <p>
      The link is incomplete or changed. <a href="/animals">Start at the first page</a>.
    </p>
  </Message>
);

export const AnimalNotFoundPage = ({
  id,
  list,
  ...props
}: RequestProps & { id: string; list: ListQuery }) => (
  <Message title="There is no such animal" list={list} {...props}>
    <p>
      No animal has the number <bdi>{id}</bdi>.
    </p>
    <p class="back">
      <a href={listPath(list)}>{listTitle(list.status)}</a>
    </p>
  </Message>
);

export const SignInPage = (props: RequestProps) => (
  <Message title="You are not signed in" {...props}>
    <p>Open the catalogue through the sign-in of your organisation.</p>
  </Message>
);

/** For a form that cannot be used: from another site, too long, or none that a browser sends. */
export const FormRefusedPage = ({ title, ...props }: RequestProps & { title: string }) => (
  <Message title={title} {...props}>
    <p>
      Nothing was added. Use <a href="/animals/new">the form of the catalogue</a>.
    </p>
  </Message>
);

export const BugPage = (props: RequestProps) => (
  <Message title="Something went wrong" {...props}>
    <p>This is a fault of the catalogue. Please tell your IT support, and quote the request below.</p>
  </Message>
);
