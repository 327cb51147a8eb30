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

/** Unix seconds of the server by its last answer; this machine's before the first. */
export function serverSeconds(): number {
  return Math.floor((Date.now() + offsetMs) / 1000)
}
export function learnServerTime(seconds: number): void {
  offsetMs = seconds * 1000 - Date.now()
}

/** The session ended by sign-out or its end was announced: answers that still arrive raise no notice. */
export function beginEnding(): boolean {
  const first = !ending
  ending = true
  return first
}
export function isEnding(): boolean {
  return ending
}
