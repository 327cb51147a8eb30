import { expect, test } from 'vitest'
import { createMachineMeter, type MachineSource } from './measure-machine.ts'
import { createProcessMeter } from './measure-processes.ts'
import {
  readBytes,
  readCpuLimit,
  readCpuTicks,
  readCpuUsage,
  readInactiveFile,
  readLoad,
  readMemory,
  readNetwork,
  readProcess,
  readProportional,
} from './read-proc.ts'

const MEMINFO =
  'MemTotal:       16384 kB\nMemFree:         1024 kB\nMemAvailable:    4096 kB\nBuffers:          100 kB\n'
const DEV = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 9999999    1    0    0    0     0          0         0  9999999    1    0    0    0     0       0          0
  eth0: RECEIVED   10    0    0    0     0          0         0     SENT    8    0    0    0     0       0          0
`
const stat = (busy: number, idle: number) => `cpu  ${busy} 0 0 ${idle} 0 0 0 0 0 0\ncpu0 1 2 3 4\n`

test('[ENV-01] the texts of /proc and of control groups are read, and a text without the value gives null, never 0', () => {
  expect(readCpuTicks('cpu  10 20 30 900 40 1 2 3 99 99\n')).toEqual({ busy: 66, total: 1006 })
  expect(readMemory(MEMINFO)).toEqual({ total: 16384 * 1024, available: 4096 * 1024 })
  expect(readLoad('2.91 1.00 0.50 1/234 5678\n')).toBe(2.91)
  expect(readNetwork(DEV.replace('RECEIVED', '1000').replace('SENT', '500'))).toEqual({ received: 1000, sent: 500 })
  expect(readCpuLimit('150000 100000\n')).toBe(1.5)
  expect(readCpuUsage('usage_usec 2500000\nuser_usec 1\n')).toBe(2.5)
  expect(readBytes('1073741824\n')).toBe(1_073_741_824)
  expect(readInactiveFile('anon 1\ninactive_file 4096\n')).toBe(4096)
  expect(readProportional('Rss: 9 kB\nPss:     12 kB\n')).toBe(12 * 1024)
  for (const text of ['', 'nonsense', 'max', 'max 100000\n']) {
    expect(readCpuTicks(text)).toBeNull()
    expect(readMemory(text)).toBeNull()
    expect(readLoad(text)).toBeNull()
    expect(readNetwork(text)).toBeNull()
    expect(readCpuLimit(text)).toBeNull()
    expect(readCpuUsage(text)).toBeNull()
    expect(readBytes(text)).toBeNull()
    expect(readProcess(text)).toBeNull()
    expect(readProportional(text)).toBeNull()
  }
})

test('[ENV-01] a process is read whatever its name holds', () => {
  const rest = 'S 7 1 1 0 -1 0 0 0 0 0 30 12 0 0 20 0 1 0 4242 1000000 256 1'
  const expected = { pid: 99, parent: 7, ticks: 42, started: 4242, pages: 256 }
  expect(readProcess(`99 (node) ${rest}`)).toEqual(expected)
  expect(readProcess(`99 (a) S 1 (b) ${rest}`)).toEqual(expected)
})

function machine(files: Record<string, string>, at: { ms: number }): MachineSource {
  return {
    read: async (path) => files[path],
    disk: async () => ({ total: 1000, free: 250, used: 700 }),
    processors: () => 4,
    now: () => at.ms,
  }
}

test('[ENV-01] CPU, memory, disk and network of the machine; the first sample knows no rates', async () => {
  const at = { ms: 0 }
  const files: Record<string, string> = {
    '/proc/stat': stat(100, 900),
    '/proc/meminfo': MEMINFO,
    '/proc/loadavg': '1.5 1 1 1/1 1',
    '/proc/net/dev': DEV.replace('RECEIVED', '1000').replace('SENT', '0'),
  }
  const measure = createMachineMeter(machine(files, at))
  const first = await measure()
  expect(first.values).toMatchObject({ cpu: null, net_in: null, memory: 75 })
  expect(first.values['disk']).toBeCloseTo(73.684, 2)
  at.ms = 10_000
  files['/proc/stat'] = stat(130, 970)
  files['/proc/net/dev'] = DEV.replace('RECEIVED', '21000').replace('SENT', '5000')
  const second = await measure()
  expect(second.values).toMatchObject({ cpu: 30, net_in: 2000, net_out: 500 })
  expect(second.machine).toMatchObject({ processors: 4, load: 1.5, cpu_of: 'machine', memory_of: 'machine' })
  // The adapter was exchanged and counts from the beginning: not a negative rate.
  at.ms = 20_000
  files['/proc/net/dev'] = DEV.replace('RECEIVED', '5').replace('SENT', '5')
  expect((await measure()).values['net_in']).toBeNull()
})

test('[ENV-01] in a container with limits CPU and memory are of the container, without file pages that it gives up first', async () => {
  const at = { ms: 0 }
  const group = '/sys/fs/cgroup'
  const files: Record<string, string> = {
    '/proc/stat': stat(0, 1000),
    '/proc/meminfo': MEMINFO,
    [`${group}/cpu.max`]: '200000 100000',
    [`${group}/cpu.stat`]: 'usage_usec 1000000\n',
    [`${group}/memory.max`]: '8388608',
    [`${group}/memory.current`]: '6291456',
    [`${group}/memory.stat`]: 'inactive_file 2097152\n',
  }
  const measure = createMachineMeter(machine(files, at))
  await measure()
  at.ms = 10_000
  files[`${group}/cpu.stat`] = 'usage_usec 16000000\n'
  const { machine: found, values } = await measure()
  expect(values).toMatchObject({ cpu: 75, memory: 50 })
  expect(found).toMatchObject({ processors: 2, cpu_of: 'container', memory_of: 'container', memory_total: 8_388_608 })
})

test('[ENV-01] where the system says nothing every value is null', async () => {
  const measure = createMachineMeter({
    read: async () => undefined,
    disk: () => Promise.reject(new Error('ENOENT')),
    processors: () => 4,
    now: () => 0,
  })
  await measure()
  expect(Object.values((await measure()).values)).toEqual([null, null, null, null, null])
})

test('[ENV-01] a supervised process is measured with what it started, and a reused process id is not the old process', async () => {
  const at = { ms: 0 }
  const line = (pid: number, parent: number, ticks: number, started: number) =>
    `${pid} (node) S ${parent} 1 1 0 -1 0 0 0 0 0 ${ticks} 0 0 0 20 0 1 0 ${started} 1 2 0`
  let lines: Record<string, string> = {
    10: line(10, 1, 100, 1),
    20: line(20, 10, 200, 2),
    21: line(21, 20, 50, 3),
    30: line(30, 1, 999, 4),
  }
  const measure = createProcessMeter({
    ids: async () => Object.keys(lines).map(Number),
    read: async (path) => (path.endsWith('/stat') ? lines[path.split('/')[2] as string] : 'Pss:  100 kB\n'),
    now: () => at.ms,
  })
  const named = [
    { name: 'supervisor', pid: 10, since: 0, restarts: 0, ends: [] },
    { name: 'jobs', pid: 20, since: 0, restarts: 2, ends: [{ at: 5, reason: 'SIGKILL' }] },
    { name: 'store', pid: null, since: null, restarts: 1, ends: [] },
  ]
  await measure(named)
  at.ms = 10_000
  lines = { ...lines, 20: line(20, 10, 300, 2), 21: line(21, 20, 10, 77), 22: line(22, 20, 90, 78) }
  const [supervisor, jobs, store] = await measure(named)
  expect(supervisor).toMatchObject({ name: 'supervisor', cpu: 0, memory: 102_400, count: 1 })
  // 100 ticks more of its own, 10 and 90 of two new workers, in ten seconds of 100 ticks.
  expect(jobs).toMatchObject({ cpu: 20, memory: 307_200, count: 3, restarts: 2, last_end: { reason: 'SIGKILL' } })
  expect(store).toMatchObject({ pid: null, cpu: null, memory: null, count: 0 })
})
