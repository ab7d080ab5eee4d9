/** A request as it goes over the wire. */
export interface Request {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/**
 * A request with placeholders in path and body, from which a load generator makes any number of requests:
 * `{id}` becomes the id of a random pet, `{serial}` a number of eight digits that no other request has.
 * It is as long as its placeholder, so that the length of a body is known beforehand.
 */
export interface RequestTemplate extends Request {
  /** How often it is sent, relative to the other templates of its workload. */
  weight: number;
}

/** What a load generator sends: templates chosen at random by their weights. */
export interface Workload {
  templates: readonly RequestTemplate[];
  /** `{id}` is between 1 and this. */
  ids: number;
}

/** More requests than a run sends, so that no serial number comes twice. */
const SERIALS_OF_A_RUN = 1_000_000;
let runs = 0;

/** The serial number that a run of a load generator begins after. */
export function reserveSerials(): number {
  runs += 1;
  return (runs % 99) * SERIALS_OF_A_RUN;
}

/** The templates, each as often as its weight says: a random one of them is the next to send. */
export const byWeight = ({ templates }: Workload): RequestTemplate[] =>
  templates.flatMap((template) => Array<RequestTemplate>(template.weight).fill(template));

/** Makes one request after the other, for the load generators that are written in JavaScript. */
export function createRequests(workload: Workload): () => Request {
  const templates = byWeight(workload);
  let serial = reserveSerials();
  const values: Record<string, () => string> = {
    id: () => `${1 + Math.floor(Math.random() * workload.ids)}`,
    serial: () => {
      serial += 1;
      return `${serial}`.padStart('{serial}'.length, '0');
    },
  };
  const fill = (text: string) =>
    text.replaceAll(/\{([a-z]+)\}/g, (placeholder, name) => values[name]?.() ?? placeholder);
  return () => {
    const template = templates[Math.floor(Math.random() * templates.length)];
    if (template === undefined) throw new Error('There is nothing to send');
    const { method, path, headers, body } = template;
    return { method, path: fill(path), headers, ...(body !== undefined && { body: fill(body) }) };
  };
}
