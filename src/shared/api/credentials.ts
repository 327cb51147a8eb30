/** What signs the calls of this page; in memory alone, so it ends with the page (decision 4). */
export type Credentials = {
  signatureKey: Uint8Array
  /** X-Token header. */
  token: string
  jwt: string
  /** Public label of the session. */
  sid: string
  username: string
  isEncrypt: boolean
}

let current: Credentials | null = null
let offsetMs = 0
let ending = false

export function credentials(): Credentials | null {
  return current
}
export function setCredentials(next: Credentials | null): void {
  current = next
  if (next) ending = false
}
/** A fresh jwt came with an answer. */
export function renewJwt(jwt: string): void {
  if (current) current = { ...current, jwt }
}

/** Unix seconds of the server, as far as it has told its time. */
export function serverSeconds(): number {
  return Math.floor((Date.now() + offsetMs) / 1000)
}
export function learnServerTime(seconds: number): void {
  offsetMs = seconds * 1000 - Date.now()
}

/** The session ends by our own doing, or its end was told: whatever still comes back says nothing more. */
export function beginEnding(): boolean {
  const first = !ending
  ending = true
  return first
}
export function isEnding(): boolean {
  return ending
}
