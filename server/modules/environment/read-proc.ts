/** Texts of Linux: /proc (proc(5)) and control groups version 2 (cgroup-v2.rst). What a text does not hold is null, never 0. */

/** Ticks of /proc in a second (USER_HZ): 100 on every architecture that Node runs on. */
export const TICKS = 100

/** Ticks of all processors since the boot, from /proc/stat: those not idle, and all. */
export function readCpuTicks(stat: string): { busy: number; total: number } | null {
  const fields = /^cpu +(.*)$/m.exec(stat)?.[1]?.trim().split(/\s+/).map(Number)
  if (!fields || fields.length < 5 || fields.some(Number.isNaN)) return null
  // guest and guest_nice (fields 9 and 10) are counted in user and nice already.
  const total = fields.slice(0, 8).reduce((sum, one) => sum + one, 0)
  const idle = (fields[3] as number) + (fields[4] as number)
  return { busy: total - idle, total }
}

/** Bytes of the machine's memory, and those that programs can still get, from /proc/meminfo. */
export function readMemory(meminfo: string): { total: number; available: number } | null {
  const kilobytes = (name: string) => {
    const digits = new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(meminfo)?.[1]
    return digits === undefined ? null : Number(digits) * 1024
  }
  const total = kilobytes('MemTotal')
  const available = kilobytes('MemAvailable')
  return total === null || available === null ? null : { total, available }
}

/** Load of the last minute, from /proc/loadavg. */
export function readLoad(loadavg: string): number | null {
  const load = Number.parseFloat(loadavg)
  return Number.isFinite(load) ? load : null
}

/** Bytes since the boot over all network adapters but the loopback, from /proc/net/dev. */
export function readNetwork(dev: string): { received: number; sent: number } | null {
  let found = false
  let [received, sent] = [0, 0]
  for (const line of dev.split('\n')) {
    const [name, rest] = line.split(':')
    const fields = rest?.trim().split(/\s+/).map(Number)
    if (!name || !fields || fields.length < 9 || name.trim() === 'lo') continue
    if (!Number.isFinite(fields[0]) || !Number.isFinite(fields[8])) continue
    found = true
    received += fields[0] as number
    sent += fields[8] as number
  }
  return found ? { received, sent } : null
}

/** Processors of a container from cpu.max ('max 100000' or '150000 100000'); null: no limit. */
export function readCpuLimit(cpuMax: string): number | null {
  const [quota, period] = cpuMax.trim().split(/\s+/).map(Number)
  return quota && period && quota > 0 && period > 0 ? quota / period : null
}

/** Seconds of processor time that a control group has used, from its cpu.stat. */
export function readCpuUsage(cpuStat: string): number | null {
  const digits = /^usage_usec (\d+)$/m.exec(cpuStat)?.[1]
  return digits === undefined ? null : Number(digits) / 1e6
}

/** Bytes from memory.max or memory.current; null: 'max' or nothing. */
export function readBytes(text: string): number | null {
  return /^\d+\s*$/.test(text) ? Number(text) : null
}

/** Bytes of file pages that a control group gives up first, from memory.stat: they are counted as used and are not needed. */
export function readInactiveFile(memoryStat: string): number {
  return Number(/^inactive_file (\d+)$/m.exec(memoryStat)?.[1] ?? 0)
}

export type ProcessTicks = { pid: number; parent: number; ticks: number; started: number; pages: number }

/** A process from /proc/PID/stat: processor time in ticks, start in ticks since the boot, resident pages. The name may hold anything. */
export function readProcess(stat: string): ProcessTicks | null {
  const end = stat.lastIndexOf(')')
  const fields = stat.slice(end + 2).split(' ')
  const pid = Number.parseInt(stat, 10)
  // Fields from the third on: state, ppid (4), utime (14), stime (15), starttime (22), rss (24).
  const [parent, user, system, started, pages] = [1, 11, 12, 19, 21].map((index) => Number(fields[index]))
  if (end < 0 || ![pid, parent, user, system, started, pages].every(Number.isFinite)) return null
  return {
    pid,
    parent: parent as number,
    ticks: (user as number) + (system as number),
    started: started as number,
    pages: pages as number,
  }
}

/** Bytes of memory that a process holds, its share of what others hold too, from /proc/PID/smaps_rollup. */
export function readProportional(rollup: string): number | null {
  const digits = /^Pss: +(\d+) kB$/m.exec(rollup)?.[1]
  return digits === undefined ? null : Number(digits) * 1024
}
