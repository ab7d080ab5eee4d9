import type * as z from 'zod';

/** What a schema found wrong, in one line, as the service would say it. */
export function describeIssues({ issues }: Pick<z.ZodError, 'issues'>): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'It'} ${message}`).join('; ');
}
