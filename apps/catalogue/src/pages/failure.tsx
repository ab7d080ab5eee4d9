import type { AnyPetStoreError } from '@petstore/client';
import type { PropsWithChildren } from 'hono/jsx';
import { Layout } from './layout.tsx';

interface RequestProps {
  requestId: string;
  user?: string | undefined;
}

interface MessageProps extends RequestProps {
  title: string;
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

/** The page in place of one that the pet store could not give. */
export const PetStoreFailurePage = ({
  error,
  path,
  retryDelayMs,
  ...props
}: RequestProps & { error: AnyPetStoreError; path: string; retryDelayMs: number }) =>
  error.isRetryable ? (
    <Message
      title={isSlow(error) ? 'The pet store is slow' : 'The pet store is away'}
      retryDelayMs={retryDelayMs}
      {...props}
    >
      <p>{isSlow(error) ? 'It did not respond in time.' : 'It cannot be reached at the moment.'}</p>
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
    <Message title="The pet store cannot be used" {...props}>
      <p>{explainFailure(error)}</p>
    </Message>
  );

const isSlow = ({ name }: AnyPetStoreError) => name === 'TimeoutError';

/** What only the operators can repair. */
export function explainFailure({ status }: AnyPetStoreError): string {
  if (status === 401) return `The pet store does not accept the API key of this catalogue. ${TELL}`;
  if (status === 403) return `The API key of this catalogue is not allowed to do this. ${TELL}`;
  return `The pet store responded in a way that this catalogue does not understand. ${TELL}`;
}

const TELL = 'Please tell its operators.';

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

export const AnimalNotFoundPage = ({ id, ...props }: RequestProps & { id: string }) => (
  <Message title="There is no such animal" {...props}>
    <p>
      No animal has the number <bdi>{id}</bdi>. All animals are in <a href="/animals">the list</a>.
    </p>
  </Message>
);

export const SignInPage = (props: RequestProps) => (
  <Message title="You are not signed in" {...props}>
    <p>Open the catalogue through the sign-in of your organisation.</p>
  </Message>
);

export const ForbiddenPage = (props: RequestProps) => (
  <Message title="This form came from another site" {...props}>
    <p>
      Nothing was added. Use <a href="/animals/new">the form of the catalogue</a>.
    </p>
  </Message>
);

export const FormTooLargePage = (props: RequestProps) => (
  <Message title="This is too long" {...props}>
    <p>
      Nothing was added. Use <a href="/animals/new">the form</a> with a shorter name.
    </p>
  </Message>
);

/** For a request that no browser makes of the form. */
export const MalformedFormPage = (props: RequestProps) => (
  <Message title="This is not a form of the catalogue" {...props}>
    <p>
      Nothing was added. Use <a href="/animals/new">the form</a>.
    </p>
  </Message>
);

export const BugPage = (props: RequestProps) => (
  <Message title="Something went wrong" {...props}>
    <p>It is a fault of this catalogue, and was logged. Please tell its operators.</p>
  </Message>
);
