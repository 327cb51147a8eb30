import type { pTags } from '#contracts/http/accounts.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { fromHex, utf8 } from '#engines/gm/bytes.ts'
import { EnvelopeError, openResponse, sealRequest } from '#engines/gm/envelope.ts'
import { gmPortable } from '#engines/gm/gm-portable.ts'
import { serverSeconds } from './credentials.ts'
import { randomBytes, sm2EncryptBrowser } from './gm-browser.ts'

type ServerInfo = Pick<ResponseOf<typeof pTags>['data'], 'envelope_key' | 'is_encrypt'>

/** Of an earlier page: the first call need not wait for p-tags. A key that was replaced since is refused, and read again (exchange.ts). */
const KEPT = 'envelope'
let server: ServerInfo | undefined

/** What p-tags says of encryption: the key that requests are sealed for, and whether calls before sign-in are sealed too. */
export function learnServer({ envelope_key, is_encrypt }: ServerInfo): void {
  server = { envelope_key, is_encrypt }
  localStorage.setItem(KEPT, JSON.stringify(server))
}
export function serverInfo(): ServerInfo | undefined {
  server ??= keptInfo()
  return server
}

function keptInfo(): ServerInfo | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? 'null')
    const info = kept as ServerInfo | null
    const isUsable =
      /^04[0-9a-f]{128}$/i.test(String(info?.envelope_key?.public_key)) && Number.isInteger(info?.envelope_key?.kid)
    return isUsable ? (info ?? undefined) : undefined
  } catch {
    return undefined
  }
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
