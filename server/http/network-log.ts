import { log } from '#runtime/log.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

export type NetworkLine = {
  at: number
  kind: 'signin' | 'console' | 'token' | 'wall' | 'anonymous' | 'collect' | 'collect'
  account: string
  application_id: number | null
  address: string
  method: string
  /** Without query: addresses may hold what does not belong into a log. */
  path: string
  status: number
  code: number
  size: number
  milliseconds: number
}

export type NetworkLog = { add(line: NetworkLine): void; close(): Promise<void> }

const MAX_WAITING = 20_000

/** Lines are written in blocks, once a second; what the store refuses is kept for the next try, MAX_WAITING lines at most. */
export function makeNetworkLog(meta: MetaStore): NetworkLog {
  let lines: NetworkLine[] = []
  let writing: Promise<void> | undefined
  let failing = false
  const flush = async () => {
    const block = lines.splice(0, 500)
    if (block.length === 0) return
    try {
      await meta.db.insertInto('network_log').values(block).execute()
      failing = false
    } catch (err) {
      if (!failing) log.warn({ err }, 'network log: cannot write, the lines are kept for the next try')
      failing = true
      const kept = [...block, ...lines]
      lines = kept.slice(-MAX_WAITING)
      const lost = kept.length - lines.length
      if (lost > 0) log.error({ lost }, 'network log: too many lines wait, the oldest are lost')
    }
  }
  const tick = () => {
    writing ??= flush().finally(() => {
      writing = undefined
    })
    return writing
  }
  const timer = setInterval(() => void tick(), 1000)
  timer.unref()
  return {
    add(line) {
      lines.push(line)
      if (lines.length >= 500) void tick()
    },
    async close() {
      clearInterval(timer)
      await writing
      for (let before = -1; lines.length > 0 && lines.length !== before; ) {
        before = lines.length
        await flush()
      }
    },
  }
}
