import { createPublicKey, verify } from 'node:crypto'
import { actionOn, type PolicyDocument } from '#contracts/telemetry/policy.ts'
import type { RiskType } from '#domain/vocabulary.ts'

/** What a phone does with a policy: checks who signed it, and lets it decide what becomes of its events. */

/** The document, or undefined where the signature or the application is not the right one. */
export function verifiedPolicy(
  body: Buffer,
  signature: string,
  policyKey: string,
  app: string | undefined,
): PolicyDocument | undefined {
  const key = createPublicKey({ key: Buffer.from(policyKey, 'base64url'), format: 'der', type: 'spki' })
  const bytes = Buffer.from(signature, 'base64url')
  if (!verify('sha256', body, { key, dsaEncoding: 'ieee-p1363' }, bytes)) return undefined
  const document = JSON.parse(body.toString()) as PolicyDocument
  return app === undefined || document.app === app ? document : undefined
}

/**
 * The event as it is sent under this policy, or undefined: a banned phone is stopped when the app begins, so it reports starts and
 * what it blocked, and nothing else.
 */
export function applyPolicy(
  document: PolicyDocument | undefined,
  event: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const banned = document?.verdict === 'banned'
  const isRisk = event['type'] === 'risk'
  if (banned && !isRisk && event['type'] !== 'start') return undefined
  const sent = { ...event }
  for (const field of document?.collect.off ?? []) {
    delete sent[field]
    // Consent is given for a place alone.
    if (field === 'place') delete sent['consent']
  }
  if (isRisk) sent['action'] = actionOn(document, event['risk_type'] as RiskType)
  return sent
}
