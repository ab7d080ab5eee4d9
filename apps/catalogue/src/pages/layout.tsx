import type { PropsWithChildren } from 'hono/jsx';
import { assetPath } from '../assets.ts';
import { type ListQuery, newAnimalPath } from '../paths.ts';

interface LayoutProps {
  title: string;
  /** Undefined where the proxy has not named the user. */
  user?: string | undefined;
  /** The list that the page shows or was opened from. @default all animals */
  list?: ListQuery;
  /** Whether the page is the form, and needs its script in place of a way to it. */
  isForm?: boolean;
  /** Loads the page again by itself, also without JavaScript. */
  retryDelayMs?: number | undefined;
}

/** Browsers show about so much of a title. */
const MAX_TITLE_LENGTH = 45;

/** What all pages have around their content. */
export const Layout = ({
  title,
  user,
  list = {},
  isForm = false,
  retryDelayMs,
  children,
}: PropsWithChildren<LayoutProps>) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${shorten(title)} · Adoption catalogue`}</title>
      <link rel="stylesheet" href={assetPath('style.css')} />
      <link rel="icon" type="image/svg+xml" href={assetPath('icon.svg')} />
      <script type="module" src={assetPath('page.js')} />
      {isForm && <script type="module" src={assetPath('form.js')} />}
      {retryDelayMs !== undefined && (
        <noscript>
          <meta http-equiv="refresh" content={String(Math.ceil(retryDelayMs / 1_000))} />
        </noscript>
      )}
    </head>
    <body>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <div class="progress" aria-hidden="true" />
      <header class="site-header">
        <div class="container">
          <a class="brand" href="/">
            <img src={assetPath('icon.svg')} alt="" width="32" height="32" />
            <span>Adoption catalogue</span>
          </a>
          {user !== undefined && (
            <span class="user" title={`Signed in as ${user}`}>
              {user}
            </span>
          )}
          {user !== undefined && !isForm && (
            <a class="button primary" href={newAnimalPath(list)}>
              Add an animal
            </a>
          )}
        </div>
      </header>
      <main id="main" class="container" tabindex={-1} data-retry-delay={retryDelayMs}>
        {children}
      </main>
    </body>
  </html>
);

function shorten(title: string): string {
  const characters = Array.from(title);
  return characters.length > MAX_TITLE_LENGTH ? `${characters.slice(0, MAX_TITLE_LENGTH).join('')}…` : title;
}
