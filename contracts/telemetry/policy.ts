import { type Action, RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'

/**
 * Policy wire format, version 1: the action an app takes for each risk, and the fields it must not send.
 *
 * `GET /collect/v1/policy?version=<app version>` with an empty body, signed by an enrolled device like a batch (ENROLLED_HEADERS; the
 * signed target is path and query as sent). A server key may fetch with `Authorization: Bearer aw_sk_…` and `?device=<device_id>`, for
 * tests and gateways. `If-None-Match` holds the `etag` of the document that the device has.
 * Answers: 200 the document, with `etag` and POLICY_SIGNATURE_HEADER; 304 the device has it already; else as the events endpoint
 * answers (contracts/telemetry/wire.ts): 400, 401, 403, 405, 409 replay, 429 and 503 with Retry-After. A client that gets no answer goes on
 * with the last document that it verified, and without one with POLICY_DEFAULT_ACTION.
 *
 * The signature is base64url(ECDSA P-256 with SHA-256, 64 bytes r||s) over the exact bytes of the body. The installation's public key
 * comes as `policy_key` (base64url, SPKI) with the answer to enrolment. A document whose signature fails, or that names another
 * application, is not obeyed.
 */
export const COLLECT_POLICY_PATH = '/collect/v1/policy'
export const POLICY_SIGNATURE_HEADER = 'x-aw-policy-signature'
/** A client asks when it starts and then about this often; a device may ask POLICY_FETCHES times a minute before it gets 429. */
export const POLICY_REFRESH_MS = 10 * 60_000
export const POLICY_FETCHES = 10

/** What the collector does not need of an event and an operator may switch off: such a field is never sent. */
export const OPTIONAL_FIELDS = [
  'user_id',
  'place',
  'network',
  'session_id',
  'channel',
  'model',
  'brand',
  'os',
  'app_version',
  'sdk_version',
  'package_name',
  'signer',
  'detail',
] as const
export type OptionalField = (typeof OPTIONAL_FIELDS)[number]

/** An analyst's verdict on the device; 'none' without one. */
export const POLICY_VERDICTS = ['none', 'trusted', 'watched', 'banned'] as const
export type PolicyVerdict = (typeof POLICY_VERDICTS)[number]

/** Text shown to the user with `warn`, `exit` and `block`; without one the client uses its default. */
export type PolicyRule = { action: Action; text?: { zh: string; en: string } }

export type PolicyDocument = {
  /** Digits: the application that the document is for. */
  app: string
  /** Id of the policy; '' where none is deployed to this device. */
  policy: string
  /** Version of that policy; 0 where none is deployed. */
  version: number
  /** Epoch milliseconds: when what the document says came about. */
  issued_at: number
  verdict: PolicyVerdict
  /** Every risk type that the server knows. */
  rules: Partial<Record<RiskType, PolicyRule>>
  /** Names beyond OPTIONAL_FIELDS come from newer servers and are ignored. */
  collect: { off: string[] }
}

/** Without a policy, and for a risk that the policy does not name: report only. */
export const POLICY_DEFAULT_ACTION: Action = 'report'

export const RISK_KEYS = /* @__PURE__ */ Object.keys(RISK_TYPES) as RiskType[]

/** What a client does about a risk: a banned device blocks everything. */
export function actionOn(document: Pick<PolicyDocument, 'verdict' | 'rules'> | undefined, risk: RiskType): Action {
  if (document?.verdict === 'banned') return 'block'
  return document?.rules[risk]?.action ?? POLICY_DEFAULT_ACTION
}
