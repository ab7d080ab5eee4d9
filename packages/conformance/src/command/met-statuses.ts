import type { Fetch } from '../http/target.ts';
import { operations, operationsAt } from '../operations.ts';

/** Notes which status of which operation a run has met. */
export function noteStatuses(fetch: Fetch) {
  const met = new Set<string>();
  const noting: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    const operation = operationsAt(new URL(url).pathname).find(({ method }) => method === init.method);
    met.add(`${operation?.name} ${response.status}`);
    return response;
  };
  /** A table in Markdown. */
  const describe = (): string => {
    const rows = operations.map(({ name, statuses }) => {
      const [some, others] = [true, false].map((isMet) =>
        statuses.filter((status) => met.has(`${name} ${status}`) === isMet),
      );
      return `| ${name} | ${some?.join(', ')} | ${others?.join(', ')} |\n`;
    });
    return `| operation | responses met | other responses of the contract |\n| --- | --- | --- |\n${rows.join('')}`;
  };
  return { fetch: noting, describe };
}
