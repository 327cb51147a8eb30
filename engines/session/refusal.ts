/**
 * Why a handshake or a message is refused. The reason belongs in the log; the other side gets the code alone, so that an attacker who changes
 * bytes does not learn at which check they failed.
 */
export type RefusalReason =
  /** Wrong length, base64 or encoding. */
  | 'malformed'
  /** Another version, suite or kind, or a flag that is set. */
  | 'version'
  | 'key_unknown'
  | 'key_expired'
  | 'key_revoked'
  /** The time of a hello or message differs from the server's by more than CLOCK_WINDOW. */
  | 'clock'
  /** A hello that was answered before. */
  | 'hello_replayed'
  /** A public key that is no point of the curve. */
  | 'point'
  /** The answer of a handshake that the owner of the server key did not make. */
  | 'not_confirmed'
  | 'session_unknown'
  | 'session_expired'
  /** The tag does not fit the bytes, the method, the path or the status. */
  | 'tag'
  /** A sequence number that was accepted before, or below the replay window. */
  | 'replayed'
  /** A sequence number of 0 or above the last one of a session. */
  | 'sequence'
  /** A plaintext that does not have the form of the HTTP binding. */
  | 'body'
  /** A plain request where messages are required. */
  | 'plain'

/** What the client learns. It acts on two: it reloads the public key, or corrects its clock. */
export type RefusalCode = 'refused' | 'unknown_key' | 'clock'

export class SessionRefusal extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason) {
    super(`session: ${reason}`)
    this.name = 'SessionRefusal'
    this.reason = reason
  }
  get code(): RefusalCode {
    return codeOf(this.reason)
  }
}

function codeOf(reason: RefusalReason): RefusalCode {
  switch (reason) {
    case 'key_unknown':
    case 'key_expired':
    case 'key_revoked':
      return 'unknown_key'
    case 'clock':
      return 'clock'
    default:
      return 'refused'
  }
}

/** The plain answer to the refused request: the same bytes for every reason of a code. `now` in Unix seconds. */
export function refusalAnswer(code: RefusalCode, now: number): { status: 400 | 409; body: string } {
  if (code === 'unknown_key') return { status: 409, body: '{"error":"unknown_key"}' }
  if (code === 'clock') return { status: 400, body: JSON.stringify({ error: 'clock', server_time: now }) }
  return { status: 400, body: '{"error":"refused"}' }
}
