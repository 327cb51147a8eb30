import { createHmac } from 'node:crypto'
import { TRAINING_LIMITS } from '#contracts/http/training.ts'

/** Of whom the order is: one attempt of one account at one question. */
export type OrderOf = { user: number; course: string; lesson: string; question: string; attempt: number }

/**
 * The order in which an attempt shows the options of a question: places of the repository (0 is the right one) by place on the screen. It
 * follows from the secret, so that nothing is stored before an answer and the place of the right one cannot be computed without it.
 */
export function optionOrder(secret: Buffer, of: OrderOf): number[] {
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify(['options', of.user, of.course, of.lesson, of.question, of.attempt]))
    .digest()
  const order = Array.from({ length: TRAINING_LIMITS.options }, (_, at) => at)
  // Fisher and Yates, with four bytes of the digest a step: the bias of the remainder is below 2^-30.
  for (let at = order.length - 1; at > 0; at--) {
    const other = digest.readUInt32BE(at * 4) % (at + 1)
    ;[order[at], order[other]] = [order[other] as number, order[at] as number]
  }
  return order
}
