import type { Endpoint } from '#contracts/http/endpoint.ts'
import type { QueryInputOf } from './exchange.ts'
import { targetOf } from './request.ts'

/** Address of an endpoint that the browser opens by itself: the request has the session cookie and no signature. */
export function downloadHref<E extends Endpoint>(endpoint: E, query?: QueryInputOf<E>): string {
  return targetOf(endpoint.path, query as Record<string, unknown> | undefined)
}
