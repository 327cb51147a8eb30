/** Why an adb server or a phone did not answer as it should. */
export type AdbTrouble =
  /** No server listens. */
  | 'unreachable'
  /** The server or the phone says no. */
  | 'refused'
  /** The answer is not part of the protocol. */
  | 'broken'
  /** It took too long. */
  | 'time'
  /** The line ended in the middle: what an unplugged phone looks like. */
  | 'closed'

export class AdbError extends Error {
  readonly trouble: AdbTrouble
  constructor(trouble: AdbTrouble, message: string) {
    super(message)
    this.name = 'AdbError'
    this.trouble = trouble
  }
}
