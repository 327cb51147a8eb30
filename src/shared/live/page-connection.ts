import { liveTicket } from '#contracts/http/observatory.ts'
import { call } from '../api/call.ts'
import { connectLive, type LiveConnection } from './live-connection.ts'

/** The one live connection of this tab, with tickets from the API. */
export function pageConnection(): LiveConnection {
  return connectLive({ getTicket: async () => (await call(liveTicket, { body: {} }, { quiet: true })).ticket })
}
