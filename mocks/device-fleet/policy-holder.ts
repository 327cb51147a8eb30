import { COLLECT_POLICY_PATH, POLICY_SIGNATURE_HEADER, type PolicyDocument } from '#contracts/telemetry/policy.ts'
import { verifiedPolicy } from './apply-policy.ts'

/** Sooner than an app in the field, so that a demo shows what a deployment does while one looks. */
const EVERY_MS = 30_000
const TIMEOUT_MS = 15_000

export type PolicyHolder = {
  /** Asks where it is time to. Keeps the last verified document through failures. */
  refresh(appVersion: string): Promise<void>
  current(): PolicyDocument | undefined
}

/** The policy of one phone: fetched with its signature, verified, kept by its ETag. */
export function policyHolder(options: {
  origin: string
  policyKey: string
  appid: string | undefined
  sign(method: string, target: string, body: string): Record<string, string>
  now(): number
  say(text: string): void
  every?: number
}): PolicyHolder {
  const { origin, policyKey, appid, sign, now, say, every = EVERY_MS } = options
  let document: PolicyDocument | undefined
  let etag = ''
  let askedAt = Number.NEGATIVE_INFINITY
  return {
    current: () => document,
    async refresh(appVersion) {
      if (now() - askedAt < every) return
      askedAt = now()
      const target = `${COLLECT_POLICY_PATH}?version=${encodeURIComponent(appVersion)}`
      try {
        const answer = await fetch(new URL(target, origin), {
          headers: { ...sign('GET', target, ''), ...(etag && { 'if-none-match': etag }) },
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        const body = Buffer.from(await answer.arrayBuffer())
        if (answer.status !== 200) return
        const fresh = verifiedPolicy(body, answer.headers.get(POLICY_SIGNATURE_HEADER) ?? '', policyKey, appid)
        if (!fresh) return say('a policy was not signed by this installation: not obeyed')
        document = fresh
        etag = answer.headers.get('etag') ?? ''
      } catch {
        // No answer: the last document stays in force.
      }
    },
  }
}
