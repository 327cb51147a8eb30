import { ProductError } from '#contracts/errors.ts'

/** Packages that are made and sent at one time: of one account, and of all in this process. */
const OF_ACCOUNT = 2
const IN_ALL = 8

const byAccount = new Map<number, number>()

/** Takes a place; the returned function frees it, once. Throws channel.busy if all are taken. */
export function takeSlot(userId: number): () => void {
  const own = byAccount.get(userId) ?? 0
  const all = [...byAccount.values()].reduce((sum, one) => sum + one, 0)
  if (own >= OF_ACCOUNT || all >= IN_ALL) throw new ProductError('channel.busy')
  byAccount.set(userId, own + 1)
  let isGiven = false
  return () => {
    if (isGiven) return
    isGiven = true
    const left = (byAccount.get(userId) ?? 1) - 1
    if (left > 0) byAccount.set(userId, left)
    else byAccount.delete(userId)
  }
}
