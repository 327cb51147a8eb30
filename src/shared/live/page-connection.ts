import { liveTicket } from '#contracts/http/statistics.ts'
import { call } from '../api/call.ts'
import { createLiveConnection, type LiveConnection } from './live-connection.ts'

let connection: LiveConnection | undefined

/** The one live connection of this tab, made at first use and kept while pages come and go. */
export function pageConnection(): LiveConnection {
  connection ??= createLiveConnection({
    getTicket: async () => (await call(liveTicket, { body: {} }, { quiet: true })).ticket,
  })
  return connection
}
