import {
  actionOn,
  COLLECT_POLICY_PATH,
  OPTIONAL_FIELDS,
  POLICY_REFRESH_MS,
  POLICY_SIGNATURE_HEADER,
  type PolicyDocument,
} from '#contracts/telemetry/policy.ts'
import type { Action, RiskType } from '#domain/vocabulary.ts'
import type { Delivery } from './delivery.ts'
import { parse } from './natives.ts'
import type { Port, QueuedEvent } from './port.ts'
import { isSigned } from './signing.ts'

/** As it came, so that it is verified again whenever it is read. */
type Held = { etag: string; signature: string; body: Uint8Array<ArrayBuffer> }

/** The policy of this device: fetched with its ETag, obeyed only with a good signature and for the application of the first one. */
export type PolicyKeeper = {
  /** What was verified by an earlier page. */
  restore(delivery: Delivery): Promise<void>
  /** Asks for a newer one where it is time. */
  refresh(delivery: Delivery, appVersion: string): Promise<void>
  actionOn(risk: RiskType): Action
  textOn(risk: RiskType, language: 'zh' | 'en'): string
  banned(): boolean
  /** Takes out what must not be sent. */
  prune(event: QueuedEvent['event']): QueuedEvent['event']
}

export function policyKeeper(port: Port): PolicyKeeper {
  let document: PolicyDocument | undefined
  let etag = ''
  let askedAt = Number.NEGATIVE_INFINITY

  async function verified(held: Held, policyKey: string | undefined): Promise<PolicyDocument | undefined> {
    if (!policyKey || !(await isSigned(policyKey, held.body, held.signature))) return undefined
    const read = parse(new TextDecoder().decode(held.body)) as PolicyDocument
    return document && document.app !== read.app ? undefined : read
  }

  return {
    async restore(delivery) {
      const held = await port.store.get<Held>('policy')
      const read = held && (await verified(held, await delivery.policyKey()))
      if (!read) return
      document = read
      etag = held.etag
    },
    async refresh(delivery, appVersion) {
      if (Math.abs(port.now() - askedAt) < POLICY_REFRESH_MS) return
      askedAt = port.now()
      const target = `${COLLECT_POLICY_PATH}?version=${encodeURIComponent(appVersion)}`
      const reply = await delivery.signedGet(target, etag ? { 'if-none-match': etag } : {})
      if (reply?.status !== 200) return
      const held: Held = {
        etag: reply.header('etag') ?? '',
        signature: reply.header(POLICY_SIGNATURE_HEADER) ?? '',
        body: reply.body,
      }
      const read = await verified(held, await delivery.policyKey())
      if (!read) return
      document = read
      etag = held.etag
      await port.store.set('policy', held)
    },
    actionOn: (risk) => actionOn(document, risk),
    textOn: (risk, language) => document?.rules[risk]?.text?.[language] ?? '',
    banned: () => document?.verdict === 'banned',
    prune(event) {
      const pruned = { ...event }
      for (const field of OPTIONAL_FIELDS) if (document?.collect.off.includes(field)) delete pruned[field]
      // Consent: the place may be sent.
      if (!pruned.place) delete pruned.consent
      return pruned
    },
  }
}
