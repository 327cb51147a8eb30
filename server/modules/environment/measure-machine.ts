import { readFile, statfs } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import type { EnvironmentSnapshot } from '#contracts/http/environment.ts'
import type { Values } from '#domain/environment.ts'
import {
  readBytes,
  readCpuLimit,
  readCpuTicks,
  readCpuUsage,
  readInactiveFile,
  readLoad,
  readMemory,
  readNetwork,
} from './read-proc.ts'

/** What is read of the machine; tests give texts of their own. */
export type MachineSource = {
  /** The text of a file of /proc or /sys; undefined if it does not exist. */
  read(path: string): Promise<string | undefined>
  /** Bytes of the file system that holds the data folder: all, free for us, used. */
  disk(): Promise<{ total: number; free: number; used: number }>
  processors(): number
  /** Epoch ms. */
  now(): number
}

export type MachineReading = { machine: EnvironmentSnapshot['machine']; values: Values }

/** This machine. */
export function machineSource(dataFolder: string, now: () => number): MachineSource {
  return {
    read: readText,
    async disk() {
      const { bsize, blocks, bfree, bavail } = await statfs(dataFolder)
      return { total: blocks * bsize, free: bavail * bsize, used: (blocks - bfree) * bsize }
    },
    processors: availableParallelism,
    now,
  }
}

/** Undefined for what does not exist or may not be read: another system, a process that has ended. */
export async function readText(path: string): Promise<string | undefined> {
  // Null in the sample says so.
  return readFile(path, 'utf8').catch(() => undefined)
}

/**
 * Measures the machine, or the container where it has a limit. Rates are those since the call before, so the first one has none.
 * Rejects never: what cannot be read is null.
 */
export function createMachineMeter(source: MachineSource): () => Promise<MachineReading> {
  let before:
    | {
        at: number
        ticks: ReturnType<typeof readCpuTicks>
        used: number | null
        net: ReturnType<typeof readNetwork>
      }
    | undefined

  return async () => {
    const at = source.now()
    const text = async (path: string) => (await source.read(path)) ?? ''
    const inGroup = (name: string) => text(`/sys/fs/cgroup/${name}`)
    const [stat, meminfo, loadavg, dev] = await Promise.all([
      text('/proc/stat'),
      text('/proc/meminfo'),
      text('/proc/loadavg'),
      text('/proc/net/dev'),
    ])
    const [cpuMax, cpuStat, memoryMax, memoryNow, memoryStat] = await Promise.all([
      inGroup('cpu.max'),
      inGroup('cpu.stat'),
      inGroup('memory.max'),
      inGroup('memory.current'),
      inGroup('memory.stat'),
    ])
    // Null in the sample says so.
    const disk = await source.disk().catch(() => undefined)
    const now = { at, ticks: readCpuTicks(stat), used: readCpuUsage(cpuStat), net: readNetwork(dev) }
    const last = before
    before = now
    const seconds = last && at > last.at ? (at - last.at) / 1000 : null
    const rate = (value: number | null | undefined, old: number | null | undefined) =>
      seconds === null || value == null || old == null || value < old ? null : (value - old) / seconds

    const limit = readCpuLimit(cpuMax)
    const processors = source.processors()
    const isLimited = limit !== null && limit < processors && now.used !== null
    const cpu = isLimited ? scaled(rate(now.used, last?.used), 100 / limit) : shareOf(now.ticks, last?.ticks ?? null)

    const machine = readMemory(meminfo)
    const container = { limit: readBytes(memoryMax), used: readBytes(memoryNow) }
    const isContained =
      container.limit !== null && container.used !== null && (machine === null || container.limit < machine.total)
    const memory = isContained
      ? {
          total: container.limit as number,
          used: Math.max(0, (container.used as number) - readInactiveFile(memoryStat)),
        }
      : machine && { total: machine.total, used: machine.total - machine.available }

    return {
      machine: {
        processors: isLimited ? limit : processors,
        load: readLoad(loadavg),
        cpu_of: isLimited ? 'container' : 'machine',
        memory_of: isContained ? 'container' : 'machine',
        memory_total: memory?.total ?? null,
        memory_used: memory?.used ?? null,
        disk_total: disk?.total ?? null,
        disk_free: disk?.free ?? null,
      },
      values: {
        cpu: cpu === null ? null : Math.min(100, cpu),
        memory: memory ? (memory.used / memory.total) * 100 : null,
        // As df counts: space that only root may use is neither free nor used.
        disk: disk && disk.used + disk.free > 0 ? (disk.used / (disk.used + disk.free)) * 100 : null,
        net_in: rate(now.net?.received, last?.net?.received),
        net_out: rate(now.net?.sent, last?.net?.sent),
      },
    }
  }
}

function scaled(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor
}

function shareOf(now: ReturnType<typeof readCpuTicks>, last: ReturnType<typeof readCpuTicks>): number | null {
  if (!now || !last || now.total <= last.total) return null
  return Math.max(0, ((now.busy - last.busy) / (now.total - last.total)) * 100)
}
