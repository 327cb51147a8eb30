import type { Generated } from 'kysely'
import type { GatewayPolicy } from '#domain/communication.ts'

/** Tables of communication protection (migration 0056). Times in epoch ms. */
export type CommunicationTables = {
  /** SM2 key pairs of applications; an application has at most one that is neither replaced nor revoked. */
  communication_keys: {
    /** The number that messages carry. */
    kid: number
    application_id: number
    /** 04, x, y as 130 hex digits. */
    public_key: string
    /** 64 hex digits, encrypted (server/platform/secrets.ts). */
    sealed_private_key: string
    created_by: number | null
    created_at: number
    expires_at: number
    replaced_by: number | null
    /** Of a replaced key: when messages under it end. */
    closes_at: number | null
    revoked_at: number | null
    last_seen_at: number | null
  }
  /** Sessions that gateways share. */
  communication_sessions: {
    id: string
    number: Generated<number>
    application_id: number
    kid: number
    /** Keys of the session, encrypted. */
    sealed: string
    /** Name and version of the client's SDK. */
    sdk: string
    created_at: number
    expires_at: number
  }
  /** Digests (hex) of the first messages of handshakes that a gateway answered, until they are refused by their time. */
  communication_hellos: { digest: string; until: number }
  /** Message numbers that a gateway accepted: each is accepted once. */
  communication_used: { session: number; sequence: number }
  communication_minutes: {
    /** Beginning of the minute. */
    minute: number
    /** 0: the message named none. */
    application_id: number
    kid: number
    /** 'accepted', 'handshake', 'plain_passed', or why it was refused. */
    outcome: string
    sdk: string
    count: number
    /** Time that the gateway itself spent on these messages. */
    micros: number
  }
  communication_gateways: {
    id: string
    name: string
    /** Origin where the console reaches it. */
    address: string
    upstream: string
    version: string
    /** Given at its start; null: the policy of the console applies. */
    policy: GatewayPolicy | null
    started_at: number
    seen_at: number
  }
}
