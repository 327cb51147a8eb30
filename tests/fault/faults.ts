import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { healthOf, type RunningServer, treeOf, waitFor } from '../support/running-server.ts'
import type { DataVolume } from './data-volume.ts'
import type { FaultControl, FileFault } from './fault-control.ts'
import { copyJournal, flipBit, putBackJournal } from './journal-damage.ts'
import type { createSender } from './sender.ts'

/** What a fault can act on. */
export type FaultBed = {
  server: RunningServer
  control: FaultControl
  volume: DataVolume
  sender: ReturnType<typeof createSender>
  random(): number
  /** Resolves once everything acknowledged is in the event store. */
  stored(): Promise<void>
  /** How long a fault that lasts is left alone, ms. */
  lastsMs(): number
}

export type Fault = {
  name: string
  /** Brings the fault about; rejects where it did not reach the product. Answers what ends it, after lastsMs(). */
  inject(bed: FaultBed): Promise<(() => Promise<void> | void) | void>
  /** The incident of the journal that health names from then on. */
  incident?: 'damaged' | 'renumbered'
}

const CHILDREN = ['store', 'collector', 'console', 'relay', 'jobs'] as const
const HOUR_MS = 3_600_000
const SHOWS_MS = 20_000

/** All faults of a run. `pauseMs`: how long PostgreSQL is paused. `canFill`: the data volume can be filled. */
export function faultTable(pauseMs: number, canFill: boolean): Fault[] {
  return [
    ...[...CHILDREN, 'postgres'].map(kill),
    { name: 'kill:supervisor', inject: killSupervisor },
    ...CHILDREN.map(hang),
    pausePostgres(pauseMs),
    ...(canFill ? [fullVolume] : []),
    fileFault('disk-full:journal', 'journal', 'ENOSPC'),
    fileFault('disk-full:files', 'files', 'ENOSPC'),
    fileFault('disk-full:logs', 'logs', 'ENOSPC', 'relay'),
    fileFault('read-only:journal', 'journal', 'EROFS'),
    fileFault('read-only:files', 'files', 'EROFS'),
    fileFault('read-only:logs', 'logs', 'EROFS', 'console'),
    fileFault('read-only:everything', '', 'EROFS'),
    fileFault('io-error:journal', 'journal', 'EIO'),
    fileFault('io-error:files', 'files', 'EIO'),
    fileFault('io-error:everything', '', 'EIO'),
    ...(canLimit() ? CHILDREN.map(noFileLeft) : []),
    { name: 'clock:back', inject: async (bed) => shiftClock(bed, -HOUR_MS) },
    { name: 'clock:back-and-restart', inject: restartWithOldClock },
    { name: 'journal:older', inject: olderJournal, incident: 'renumbered' },
    { name: 'journal:flipped', inject: flippedJournal, incident: 'damaged' },
  ]
}

// ------------------------------------------------------------------------------------------------------------- processes

function kill(victim: string): Fault {
  return {
    name: `kill:${victim}`,
    async inject({ server }) {
      const pid = pidOf(server, victim)
      process.kill(pid, 'SIGKILL')
      await isReplaced(server, victim, pid)
    },
  }
}

async function killSupervisor({ server }: FaultBed): Promise<void> {
  process.kill(pidOf(server, 'supervisor'), 'SIGKILL')
  await server.start()
}

function hang(victim: string): Fault {
  return {
    name: `hang:${victim}`,
    async inject({ server }) {
      const pid = pidOf(server, victim)
      process.kill(pid, 'SIGSTOP')
      await isReplaced(server, victim, pid)
    },
  }
}

/** Stops PostgreSQL with all below it, and lets them go on. */
function pausePostgres(pauseMs: number): Fault {
  return {
    name: 'pause:postgres',
    async inject({ server }) {
      const all = treeOf(pidOf(server, 'postgres'))
      for (const one of all) process.kill(one, 'SIGSTOP')
      await new Promise((wake) => setTimeout(wake, pauseMs))
      for (const one of all)
        try {
          process.kill(one, 'SIGCONT')
        } catch {
          // Ended meanwhile.
        }
    },
  }
}

/** util-linux, on every Linux but the smallest images. */
function canLimit(): boolean {
  return spawnSync('prlimit', ['--version']).status === 0
}

/** Fewer descriptors than any of our processes holds: not even one that is closed may be taken again. */
const DESCRIPTORS = 8
/** What each process has a connection to, and must open one again when it was killed. */
const PARTNERS = { store: 'collector', collector: 'relay', console: 'store', relay: 'store', jobs: 'postgres' } as const

/** Every further file, connection and child of the process is EMFILE from the kernel, and one of its connections is cut. */
function noFileLeft(victim: (typeof CHILDREN)[number]): Fault {
  return {
    name: `too-many-files:${victim}`,
    async inject({ server }) {
      const pid = pidOf(server, victim)
      const prlimit = (...options: string[]) =>
        execFileSync('prlimit', ['--pid', String(pid), ...options], { encoding: 'utf8', stdio: 'pipe' })
      const limit = (soft: number | string) => prlimit(`--nofile=${soft}:`)
      const before = prlimit('--nofile', '-o', 'SOFT', '--noheadings')
      limit(DESCRIPTORS)
      process.kill(pidOf(server, PARTNERS[victim]), 'SIGKILL')
      return () => {
        try {
          limit(before.trim())
        } catch {
          // It ended because of it, and was started again without the limit.
        }
      }
    },
  }
}

// ----------------------------------------------------------------------------------------------------------------- disk

const fullVolume: Fault = {
  name: 'disk-full:everything',
  async inject({ server, volume }) {
    volume.fill?.()
    await waitFor(async () => stores(await healthOf(server.url))?.journal === 'full', SHOWS_MS, 'health to say full')
    return () => volume.free()
  },
}

/** `folder`: below the data folder, '' for all of it. `kills`: a process that is killed too, so that there is something to write. */
function fileFault(name: string, folder: string, code: FileFault['code'], kills?: string): Fault {
  return {
    name,
    async inject({ server, control }) {
      control.files({ folder: join(server.dataFolder, folder), code })
      if (kills) process.kill(pidOf(server, kills), 'SIGKILL')
      await waitFor(() => control.hit() !== undefined, SHOWS_MS, `${name} to reach a process`)
      if (folder === 'journal')
        await waitFor(async () => stores(await healthOf(server.url))?.journal !== 'ok', SHOWS_MS, 'health to say so')
      return () => control.files(null)
    },
  }
}

// ---------------------------------------------------------------------------------------------------------------- clock

function shiftClock({ control }: FaultBed, milliseconds: number): () => void {
  control.clock(milliseconds)
  return () => control.clock(0)
}

/** The clock steps back, and a process that starts then finds entries of the future in the journal. */
async function restartWithOldClock(bed: FaultBed): Promise<() => void> {
  const back = shiftClock(bed, -HOUR_MS)
  const victim = CHILDREN[Math.floor(bed.random() * CHILDREN.length)] as string
  await kill(victim).inject(bed)
  return back
}

// -------------------------------------------------------------------------------------------------------------- journal

/** The journal of some seconds ago is put back below a store that has everything. */
async function olderJournal({ server, sender, stored, lastsMs }: FaultBed): Promise<void> {
  copyJournal(server.dataFolder)
  await new Promise((wake) => setTimeout(wake, 1000 + lastsMs()))
  await whileStopped({ server, sender, stored }, () => putBackJournal(server.dataFolder))
  await sender.repeatLast()
}

async function flippedJournal({ server, sender, stored, random }: FaultBed): Promise<void> {
  await whileStopped({ server, sender, stored }, () => flipBit(server.dataFolder, random))
  await sender.repeatLast()
}

/** Changes the data folder while nothing runs, once the store has everything: what is only in the journal would be lost with it. */
async function whileStopped(
  { server, sender, stored }: Pick<FaultBed, 'server' | 'sender' | 'stored'>,
  change: () => void,
): Promise<void> {
  await sender.pause()
  try {
    await stored()
    await server.stop()
    change()
    await server.start()
  } finally {
    sender.resume()
  }
}

// ------------------------------------------------------------------------------------------------------------------ all

function pidOf(server: RunningServer, name: string): number {
  const pid = server.processes().get(name)
  if (!pid) throw new Error(`${name} does not run`)
  return pid
}

async function isReplaced(server: RunningServer, victim: string, pid: number): Promise<void> {
  const isBack = () => ![undefined, pid].includes(server.processes().get(victim))
  await waitFor(isBack, 60_000, `${victim} to be started again`)
}

export function stores(health: Record<string, unknown> | undefined): { journal: string; events: string } | undefined {
  return health?.['stores'] as ReturnType<typeof stores>
}
