/** What the pages of the catalogue do better with JavaScript. Without it they work all the same. */

import { appendPages } from './endless-list.ts';
import { showProgress } from './progress.ts';
import { reloadWhenAvailable } from './retry.ts';

showProgress();
reloadWhenAvailable();
appendPages();
