import { createStore } from 'zustand/vanilla'
import type { RevokedMessage, StatusMessage } from '#contracts/live/messages.ts'

/**
 * How the live connection is doing. `connecting`: not there yet, or lost for less than 15 s; `live`; `stale`: the socket is open but three
 * heart beats were missed; `offline`: lost for longer, trying goes on; `revoked`: the server ended it, trying stopped.
 */
export type LiveState = 'connecting' | 'live' | 'stale' | 'offline' | 'revoked'

/** What a screen did not see: attacks by the counters' difference, null where it is unknown (another day, a stream). */
export type Missed = { from: number; to: number; attacks: number | null }

export type ConnectionState = {
  state: LiveState
  /** Why it was revoked. */
  reason: RevokedMessage['reason'] | null
  /** Milliseconds since what is shown was true, by the server's clock; null before anything came. */
  dataAge: number | null
  /** Server clock minus ours, ms. */
  clockOffset: number
  status: Pick<StatusMessage, 'version' | 'prerequisites' | 'backlog' | 'demo'> | null
  missed: Missed | null
}

export const NOT_CONNECTED: ConnectionState = {
  state: 'connecting',
  reason: null,
  dataAge: null,
  clockOffset: 0,
  status: null,
  missed: null,
}

export const createConnectionStore = () => createStore<ConnectionState>(() => NOT_CONNECTED)
export type ConnectionStore = ReturnType<typeof createConnectionStore>
