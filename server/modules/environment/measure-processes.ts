import { readdir } from 'node:fs/promises'
import type { EnvironmentProcess } from '#contracts/http/environment.ts'
import type { SupervisedProcess } from '#runtime/start-process.ts'
import { readText } from './measure-machine.ts'
import { type ProcessTicks, readProcess, readProportional, TICKS } from './read-proc.ts'

/** What is read of processes; tests give texts of their own. */
export type ProcessSource = {
  /** Ids of all processes of the machine that we see; empty where the system does not say. */
  ids(): Promise<number[]>
  read(path: string): Promise<string | undefined>
  /** Epoch ms. */
  now(): number
}

/** This machine's. */
export function processSource(now: () => number): ProcessSource {
  return {
    async ids() {
      // Not Linux: no process is measured.
      const names = await readdir('/proc').catch(() => [])
      return names.filter((name) => /^\d+$/.test(name)).map(Number)
    },
    read: readText,
    now,
  }
}

const PAGE_BYTES = 4096

/**
 * Measures the processes that the supervisor names, each with all that it started (workers, the backends of PostgreSQL) and that is not
 * named itself. CPU is the share of one processor since the call before.
 */
export function createProcessMeter(source: ProcessSource) {
  let before: { at: number; ticks: Map<string, number> } | undefined

  return async (named: readonly SupervisedProcess[]): Promise<EnvironmentProcess[]> => {
    const at = source.now()
    const all = new Map<number, ProcessTicks>()
    for (const id of await source.ids()) {
      const found = readProcess((await source.read(`/proc/${id}/stat`)) ?? '')
      if (found) all.set(found.pid, found)
    }
    const groups = groupByOwner(all, new Set(named.flatMap(({ pid }) => (pid === null ? [] : [pid]))))
    const last = before
    before = { at, ticks: new Map([...all.values()].map((one) => [markOf(one), one.ticks])) }
    const seconds = last && at > last.at ? (at - last.at) / 1000 : null

    return Promise.all(
      named.map(async ({ name, pid, since, restarts, ends }) => {
        const group = pid === null ? undefined : groups.get(pid)
        const base = { name, pid, since, restarts, last_end: ends.at(-1) ?? null }
        if (!group) return { ...base, cpu: null, memory: null, count: pid === null ? 0 : null }
        let memory = 0
        for (const one of group)
          memory +=
            readProportional((await source.read(`/proc/${one.pid}/smaps_rollup`)) ?? '') ?? one.pages * PAGE_BYTES
        // One that was not there before has used all its time since.
        const used = group.reduce((sum, one) => sum + one.ticks - (last?.ticks.get(markOf(one)) ?? 0), 0)
        return {
          ...base,
          cpu: seconds === null ? null : (used / TICKS / seconds) * 100,
          memory,
          count: group.length,
        }
      }),
    )
  }
}

/** A process id is used again: with its start it is not. */
const markOf = ({ pid, started }: ProcessTicks) => `${pid} ${started}`

/** Every process goes to the nearest named one above it; those without belong to somebody else. */
function groupByOwner(
  all: ReadonlyMap<number, ProcessTicks>,
  owners: ReadonlySet<number>,
): Map<number, ProcessTicks[]> {
  const groups = new Map<number, ProcessTicks[]>()
  for (const one of all.values()) {
    let owner: ProcessTicks | undefined = one
    for (let depth = 0; owner && !owners.has(owner.pid) && depth < 64; depth++) owner = all.get(owner.parent)
    if (!owner || !owners.has(owner.pid)) continue
    const group = groups.get(owner.pid)
    if (group) group.push(one)
    else groups.set(owner.pid, [one])
  }
  return groups
}
