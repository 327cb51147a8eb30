import type { pTags } from '#contracts/http/accounts.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { fromHex, utf8 } from '#engines/gm/bytes.ts'
import { EnvelopeError, openResponse, sealRequest } from '#engines/gm/envelope.ts'
import { gmPortable } from '#engines/gm/gm-portable.ts'
import { serverSeconds } from './credentials.ts'
import { randomBytes, sm2EncryptBrowser } from './gm-browser.ts'

type ServerInfo = Pick<ResponseOf<typeof pTags>['data'], 'envelope_key' | 'is_encrypt'>

let server: ServerInfo | undefined

/** What p-tags says of encryption: the key that requests are sealed for, and whether calls before sign-in are sealed too. */
export function learnServer(info: ServerInfo): void {
  server = info
}
export function serverInfo(): ServerInfo | undefined {
  return server
}

/** A sealed request: what goes out as `encrypt_data`, signed with this nonce and time, and what opens its answer. */
export type SealedCall = {
  text: string
  nonce: Uint8Array
  tstamp: number
  /** The answer's JSON; undefined for everything that is not the sealed answer to this request. */
  open(body: Record<string, unknown>, status: number): Record<string, unknown> | undefined
}

/** `sid`: the session's public label, '' before sign-in. `plain`: JSON text of the body or of the query's fields. */
export function sealCall(
  key: ServerInfo['envelope_key'],
  { method, path, sid, plain }: { method: string; path: string; sid: string; plain: string },
): SealedCall {
  const nonce = randomBytes(16)
  const tstamp = serverSeconds()
  const { text, channel } = sealRequest(gmPortable, {
    context: { method, path, sid },
    server: { kid: key.kid, publicKey: fromHex(key.public_key) },
    tstamp,
    rid: nonce,
    random: randomBytes,
    sm2Encrypt: sm2EncryptBrowser,
    plain: utf8(plain),
  })
  return {
    text,
    nonce,
    tstamp,
    open(body, status) {
      try {
        const { plain } = openResponse(gmPortable, channel, String(body['encrypt_data']), status)
        const answer: unknown = JSON.parse(new TextDecoder().decode(plain))
        return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : undefined
      } catch (error) {
        if (error instanceof EnvelopeError || error instanceof SyntaxError) return undefined
        throw error
      }
    },
  }
}
