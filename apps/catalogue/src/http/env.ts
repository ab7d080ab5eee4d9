/** What the middleware finds out about a request, for the routes and for the client. */
export interface AppEnv {
  Variables: {
    /** The same in this app's log, in the pet store's and on a page that reports a failure. */
    requestId: string;
    /** The trace that the request belongs to, if its sender has one (W3C Trace Context). */
    traceparent: string | undefined;
    /** The user, as the proxy names them. */
    user: string;
  };
}
