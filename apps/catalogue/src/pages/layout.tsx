import type { PropsWithChildren } from 'hono/jsx';
import { assetPath } from '../http/assets.ts';

interface LayoutProps {
  title: string;
  /** Undefined where the proxy has not named the user. */
  user?: string | undefined;
  /** Where in the navigation the page is. */
  section?: 'list' | 'add';
  /** Scripts beside the one of all pages. */
  scripts?: string[];
  /** Loads the page again by itself, also without JavaScript. */
  retryDelayMs?: number | undefined;
}

/** What all pages have around their content. */
export const Layout = ({
  title,
  user,
  section,
  scripts = [],
  retryDelayMs,
  children,
}: PropsWithChildren<LayoutProps>) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · Adoption catalogue`}</title>
      <link rel="stylesheet" href={assetPath('style.css')} />
      <link rel="icon" type="image/svg+xml" href={assetPath('icon.svg')} />
      {['page.js', ...scripts].map((name) => (
        <script type="module" src={assetPath(name)} />
      ))}
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
            <img src={assetPath('icon.svg')} alt="" width="28" height="28" />
            <span>Adoption catalogue</span>
          </a>
          <nav class="menu" aria-label="Main">
            <a href="/" aria-current={section === 'list' ? 'page' : undefined}>
              Animals
            </a>
            <a href="/animals/new" aria-current={section === 'add' ? 'page' : undefined}>
              Add
            </a>
          </nav>
          {user !== undefined && (
            <span class="user" title={`Signed in as ${user}`}>
              {user}
            </span>
          )}
        </div>
      </header>
      <main id="main" class="container" tabindex={-1} data-retry-delay={retryDelayMs}>
        {children}
      </main>
    </body>
  </html>
);
