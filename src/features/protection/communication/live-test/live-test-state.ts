import type { TEST_STAGES, TestAnswer } from '#contracts/http/communication.ts'

/** Steps in the browser; those of the gateway carry its own names. */
export type Stage = {
  id: 'hello' | 'sendHello' | 'confirm' | 'seal_' | 'sendMessage' | 'open_' | (typeof TEST_STAGES)[number]
  place: 'browser' | 'gateway'
  micros: number
  bytes: number
  /** Bytes that came out, where they differ. */
  into?: number
  isOk: boolean
}

export type BrokenResult = {
  kind: 'replay' | 'byte' | 'stale' | 'noKey' | 'endedKey' | 'path' | 'plain'
  status: number
  /** The body that everybody would get. */
  answer: string
  /** Why, as the gateway logs it; '' where it does not tell. */
  outcome: string
  isRefused: boolean
}

export type LiveTestState = {
  /** The console's own gateway. */
  isOwn: boolean
  stages: readonly Stage[]
  broken: BrokenResult[]
  request?: { path: string; message: Uint8Array; plaintext: string; query: string }
  reply?: TestAnswer
  /** The opened answer. */
  answer?: string
  /** The good request did not get through. */
  refusal?: { status: number; outcome: string }
  isDone: boolean
}
