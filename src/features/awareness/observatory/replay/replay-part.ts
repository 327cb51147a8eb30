import type { ResponseOf } from '#contracts/http/endpoint.ts'
import type { replay } from '#contracts/http/observatory.ts'

/** What the replay endpoint answers for one part of the window. */
export type ReplayPart = ResponseOf<typeof replay>['data']
