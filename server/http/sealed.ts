import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type ErrorKey, ProductError } from '#contracts/errors.ts'
import { fromBase64url, utf8 } from '#engines/gm/bytes.ts'
import { EnvelopeError, type EnvelopeFault, openRequest, sealResponse } from '#engines/gm/envelope.ts'
import { parseSignature } from '#engines/gm/signature.ts'
import { gmNode } from './gm-node.ts'
import type { ServerDeps } from './module.ts'
import { parseJson } from './parse-input.ts'
import { type EnvelopeKeys, makeEnvelopeKeys } from './session-keys.ts'

const FAULTS: Record<EnvelopeFault, ErrorKey> = {
  malformed: 'envelope.malformed',
  version: 'envelope.version',
  key: 'envelope.key',
  time: 'request.time',
  tampered: 'envelope.tampered',
}

/** Seals the answer to one opened request. */
export type Sealed = { seal(answer: unknown, status: number): { encrypt_data: string } }

/**
 * Makes what opens the `encrypt_data` of a request that is enveloped whatever is_encrypt says. Its session label is '': the caller does
 * not know one yet. The opener throws ProductError of the envelope kinds.
 */
export function makeOpener(
  deps: ServerDeps,
): (request: FastifyRequest, fields: Readonly<Record<string, string>>) => Sealed {
  const { unwrap } = makeEnvelopeKeys(deps.secret)
  return (request, fields) => open(deps, unwrap, request, fields)
}

function open(
  deps: ServerDeps,
  unwrap: EnvelopeKeys['unwrap'],
  request: FastifyRequest,
  fields: Readonly<Record<string, string>>,
): Sealed {
  const text = fields['encrypt_data']
  const signature = parseSignature(String(request.headers['signature']))
  if (!text || !signature) throw new ProductError('envelope.malformed')
  const serverTime = () => Math.floor(deps.now() / 1000)
  try {
    const { plain, channel } = openRequest(gmNode, text, {
      context: { method: request.method, path: (request.raw.url ?? '').split('?')[0] as string, sid: '' },
      tstamp: Number(request.headers['tstamp']),
      rid: fromBase64url(signature.nonce) as Uint8Array,
      unwrap,
    })
    parseJson(plain)
    return {
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
