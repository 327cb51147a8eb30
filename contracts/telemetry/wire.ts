import type { Action, EventType, Platform, RiskType } from '#domain/vocabulary.ts'

/**
 * Telemetry wire format, version 1: what a sender posts to `POST /collect/v1/events`.
 *
 * Body: a JSON array of events, or an object {events: [...]}, or NDJSON (`application/x-ndjson`); gzip allowed.
 * Authentication: `Authorization: Bearer aw_sk_…` (server key) or an enrolled device's signature (ENROLLED_HEADERS).
 * Answers: 202 {accepted, pending, duplicates, quarantined, rejected: [{index, error}], server_time} once all of it is on disk; else
 * {code, codemsg, key, server_time} (contracts/errors.ts) and nothing was accepted: 400 unreadable batch, 401 unknown key, bad signature or
 * device clock, 403 history without the scope, 404, 405, 408 slow body, 409 device batch accepted before, 413 too large, 415 other type, 429 and 503 with
 * Retry-After. A batch may always be sent again: events accepted before are counted as `duplicates`.
 *
 * Fields: null counts as absent. A name that WireEvent does not have rejects the event with that name, so that a typing error loses no
 * data silently; names beginning with `x_` are the sender's own and are dropped. Text holds no control characters. Of a field given
 * twice the last one counts.
 */
export const COLLECT_EVENTS_PATH = '/collect/v1/events'
export const COLLECT_ENROL_PATH = '/collect/v1/enrol'
/**
 * A server key whose only scope is `import` posts history: received_at = occurred_at, marked imported. A key with both scopes says
 * so with this header, value 1.
 */
export const IMPORT_HEADER = 'x-aw-import'
/** Server key and device limits; ceilings and rates are settings (settings.ts). */
export const COLLECT_LIMITS = {
  server: { bytes: 2 * 1024 * 1024, inflatedBytes: 8 * 1024 * 1024, events: 1000 },
  device: { bytes: 256 * 1024, inflatedBytes: 1024 * 1024, events: 500 },
  /** Characters of a text field; longer ones are refused, except `detail` (bytes of JSON, see below). */
  text: 256,
  detailBytes: 4096,
  /** `detail` of a crash, ANR or exception: its stack is in there. */
  failureDetailBytes: 16_384,
  /** occurred_at may be this far ahead of the server's clock; beyond it is set to the time of arrival and flagged. */
  aheadMs: 5 * 60_000,
  /** Events that occurred longer than this before arrival are quarantined (except imports). */
  maxAgeMs: 7 * 86_400_000,
} as const

export type WireEvent = {
  /** UUID, or any text of 1 to 64 of [A-Za-z0-9._:-]; unique within the application. */
  event_id: string
  type: EventType
  /**
   * Stable device fingerprint of the SDK, 1 to 128 characters; stored as a keyed hash only. Of an enrolled device: the one it enrolled
   * with, others are quarantined.
   */
  device_id: string
  /** Epoch milliseconds or ISO 8601 with zone; absent: the time of arrival. */
  occurred_at?: number | string
  /** When the sender sent this event for the first time, by the server's clock as of its last answer; kept on retries. */
  reported_at?: number | string
  /** The app's user; stored as a keyed hash only. */
  user_id?: string
  platform?: Platform
  app_version?: string
  channel?: string
  os?: string
  model?: string
  brand?: string
  network?: string
  sdk_version?: string
  package_name?: string
  /** SHA-256 of the signing certificate, hex. */
  signer?: string
  session_id?: string
  /** Required when type is risk. */
  risk_type?: RiskType
  action?: Action
  /** Server key: the client's address. Ignored from devices. */
  client_ip?: string
  /** Server key, or a device with consent.location. */
  place?: {
    /** ISO 3166-1 alpha-2; TW, HK and MO name the province-level units of CN. */
    country?: string
    /** Administrative code, or a Chinese or English name, of the province-level unit of China. */
    province?: string
    /** Likewise of the city-level unit; a district where the province-level unit has no cities. */
    city?: string
    /** Both or none, with a country; where absent, a point inside the named area. */
    longitude?: number
    latitude?: number
  }
  consent?: { location?: boolean }
  /**
   * Free, at most 4 kB of JSON, 8 levels deep. Of a crash, ANR or exception up to 16 kB, with the members of FailureDetail where there
   * are any; of a web event, and of a risk on platform web, `kind` names the observation, and such events are grouped by it.
   */
  detail?: Record<string, unknown> | FailureDetail
}

/**
 * `detail` of a crash, ANR or exception. All members are optional and custom members are allowed; values of another shape are kept
 * but not interpreted. Events are grouped by the stack (engines/stack/fingerprint.ts), without one by `reason`.
 */
export type FailureDetail = {
  /** Class of the exception, signal, or what the system said: `java.lang.IllegalStateException`, `SIGSEGV`. */
  reason?: string
  message?: string
  /** The stack as the platform writes it, lines parted by \n: Java and Kotlin with causes, tombstone, iOS report, browser. */
  stack?: string
  /** Name of the thread. */
  thread?: string
  /** What happened before, oldest first; `at` in epoch ms. */
  breadcrumbs?: { at: number; kind: BreadcrumbKind; text: string }[]
  foreground?: boolean
  /** Free memory in MB. */
  memory?: number
  orientation?: 'portrait' | 'landscape'
  /** Identifier of the build, where the version does not determine it. */
  build_id?: string
}
/** Kinds with an icon in the console; others are shown as text. */
export type BreadcrumbKind = 'start' | 'page' | 'tap' | 'request' | 'risk' | 'state' | 'log'

export type CollectAnswer = {
  accepted: number
  pending: number
  duplicates: number
  quarantined: number
  rejected: { index: number; error: string }[]
  /** Epoch milliseconds. */
  server_time: number
}

/**
 * An enrolled device signs each batch:
 * `x-aw-signature: 2.<nonce>.<mac>`, mac = base64url(HMAC-SHA-256(device key, "AW2\n" METHOD "\n" target "\n" tstamp "\n" nonce "\n"
 * base64url(SHA-256(body as sent)))); nonce = 16 random bytes, base64url; tstamp = Unix seconds, at most 10 minutes off. The sequence
 * number grows with each attempt (the last 64 may come in any order); every attempt is signed again, its events stay unchanged.
 */
export const ENROLLED_HEADERS = {
  install: 'x-aw-install',
  sequence: 'x-aw-seq',
  tstamp: 'x-aw-tstamp',
  signature: 'x-aw-signature',
} as const

/**
 * `POST /collect/v1/enrol`: {enrolment_key: 'aw_ek_…', device_id, proof: {salt, nonce}} where
 * SHA-256(enrolment_key + device_id + salt + nonce) begins with ENROL_PROOF_BITS zero bits and salt is the Unix minute, at most 10 old.
 * Answer 201 {install, device_key (base64url, 32 bytes), policy_key (contracts/telemetry/policy.ts), server_time}.
 */
export const ENROL_PROOF_BITS = 18
export type EnrolRequest = { enrolment_key: string; device_id: string; proof: { salt: number; nonce: string } }
export type EnrolAnswer = { install: string; device_key: string; policy_key: string; server_time: number }
