import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type ErrorKey, ProductError } from '#contracts/errors.ts'
import { fromBase64url, utf8 } from '#engines/gm/bytes.ts'
import { EnvelopeError, type EnvelopeFault, openRequest, sealResponse } from '#engines/gm/envelope.ts'
import { gmNode } from '#engines/gm/gm-openssl.ts'
import { parseSignature } from '#engines/gm/signature.ts'
import type { HttpDeps } from './http-deps.ts'
import { parseJson } from './parse-input.ts'

const FAULTS: Record<EnvelopeFault, ErrorKey> = {
  malformed: 'envelope.malformed',
  version: 'envelope.version',
  key: 'envelope.key',
  time: 'request.time',
  tampered: 'envelope.tampered',
}

/** A request that was opened, and what seals its answer. */
export type Opened = {
  /** The JSON that was sealed. */
  plain: unknown
  seal(answer: unknown, status: number): { encrypt_data: string }
}

/**
 * Opens `encrypt_data`. `sid`: the public label of the caller's session, '' where the caller has none yet. Throws ProductError of the
 * envelope kinds.
 */
export function makeOpener(deps: HttpDeps): (request: FastifyRequest, text: unknown, sid: string) => Opened {
  const { envelopeKeys, now } = deps
  const serverTime = () => Math.floor(now() / 1000)
  return (request, text, sid) => {
    const signature = parseSignature(String(request.headers['signature']))
    if (typeof text !== 'string' || text === '' || !signature) throw new ProductError('envelope.malformed')
    try {
      const { plain, channel } = openRequest(gmNode, text, {
        context: { method: request.method, path: (request.raw.url ?? '').split('?')[0] as string, sid },
        tstamp: Number(request.headers['tstamp']),
        rid: fromBase64url(signature.nonce) as Uint8Array,
        unwrap: envelopeKeys.unwrap,
      })
      return {
        plain: parseJson(plain),
        seal: (answer, status) => ({
          encrypt_data: sealResponse(gmNode, channel, {
            status,
            serverTime: serverTime(),
            iv: randomBytes(16),
            plain: utf8(JSON.stringify(answer)),
          }),
        }),
      }
    } catch (error) {
      if (!(error instanceof EnvelopeError)) throw error
      const key = FAULTS[error.fault]
      throw new ProductError(key, {}, key === 'request.time' ? { server_time: serverTime() } : {})
    }
  }
}
