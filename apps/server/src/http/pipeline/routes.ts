/** An operation of the service, as the steps before its handler see it. */
export interface Operation {
  readonly method: string;
  /** Path template, such as `/v1/pets/:petId`. */
  readonly template: string;
  /** What the API key must be allowed to do. */
  readonly scope: 'read' | 'write';
  /** Headers of each of its responses, refusals included: names and values in turn. */
  readonly headers: readonly string[];
  readonly isDeprecated: boolean;
}

/** An operation that a request can name. */
export interface Route extends Operation {
  readonly pattern: RegExp;
}

/** The operations of the service. */
export class Routes {
  readonly #routes: readonly Route[];

  constructor(operations: readonly Operation[]) {
    this.#routes = operations.map((operation) => ({
      ...operation,
      pattern: new RegExp(`^${operation.template.replaceAll(/:\w+/g, '[^/]+')}$`),
    }));
  }

  /** Finds the operation that a method and a path name; HEAD names that of GET. */
  find(method: string | undefined, path: string): Route | undefined {
    const wanted = method === 'HEAD' ? 'GET' : method;
    return this.#routes.find((route) => route.method === wanted && route.pattern.test(path));
  }

  /** All methods that paths take. */
  get methods(): string[] {
    return [...new Set(withHead(this.#routes))];
  }

  /** The methods that a path takes; none for a path that has no operation. */
  methodsOf(path: string): string[] {
    return withHead(this.#routes.filter(({ pattern }) => pattern.test(path)));
  }
}

const withHead = (routes: readonly Route[]) =>
  routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
