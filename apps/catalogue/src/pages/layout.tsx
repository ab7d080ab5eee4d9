import { getContext } from 'hono/context-storage';
import type { PropsWithChildren } from 'hono/jsx';
import type { AppEnv } from '../log.ts';
import { newAnimalPath, parseListQuery } from '../paths.ts';
import { cut } from './animal-parts.tsx';

/** A longer title would push "Adoption catalogue" out of a tab or a bookmark. An animal's name has no maximum length. */
const MAX_TITLE_LENGTH = 45;

export const Layout = ({ title, children }: PropsWithChildren<{ title: string }>) => {
  const c = getContext<AppEnv>();
  const { user } = c.var;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${cut(title, MAX_TITLE_LENGTH)} · Adoption catalogue`}</title>
        <link rel="stylesheet" href="/assets/style.css" />
        <link rel="icon" type="image/svg+xml" href="/assets/icon.svg" />
      </head>
      <body>
        <header>
          <a class="brand" href="/">
            <img src="/assets/icon.svg" alt="" width="32" height="32" />
            <strong>Adoption catalogue</strong>
          </a>
          {user !== undefined && <span class="user muted">{user}</span>}
          {user !== undefined && c.req.path !== '/animals/new' && (
            <a class="button primary" href={newAnimalPath(parseListQuery(c.req.query()))}>
              Add an animal
            </a>
          )}
        </header>
        <main>{children}</main>
      </body>
    </html>
  );
};
