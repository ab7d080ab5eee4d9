import type http from 'node:http';
import { ErrorBody, stringifyJson } from '@petstore/contract';
import type { Connections } from './connections.ts';
import { ServerResponse } from './node-http.ts';
import { sendJson } from './send-json.ts';

type HeaderList = http.OutgoingHttpHeaders | http.OutgoingHttpHeader[];

/** Makes the class of all responses. What it does holds for third-party middleware and `res.end`, too. */
export function createResponseClass(connections: Connections): typeof ServerResponse {
  return class AppResponse<Req extends http.IncomingMessage> extends ServerResponse<Req> {
    declare readonly locals: Express.Locals;

    /** Node calls this before the first byte of each response, if its sender has not. */
    override writeHead(status: number, reason?: string | HeaderList, headers?: HeaderList): this {
      if (connections.find(this.req.socket)?.endsAfter(this.req)) this.setHeader('Connection', 'close');
      if (status === 503 && !this.hasHeader('Retry-After')) this.setHeader('Retry-After', '1');
      return typeof reason === 'object'
        ? super.writeHead(status, reason)
        : super.writeHead(status, reason, headers);
    }

    /** Replaces the method of Express, which throws for an integer beyond 2^53 - 1. */
    json(value: unknown): this {
      const { notes, formatted } = this.locals;
      if (this.statusCode >= 400) notes.error = ErrorBody.safeParse(value).data?.code;
      sendJson(
        this,
        formatted !== undefined && formatted.value === value ? formatted.json : stringifyJson(value),
      );
      return this;
    }
  };
}
