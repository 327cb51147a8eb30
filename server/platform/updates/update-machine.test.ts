import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { currentVersion, draftFolder, releaseFolder, switchTo } from './installation.ts'
import { type JournalRecord, openUpdateJournal, type UpdateJournal } from './update-journal.ts'
import {
  atStart,
  failed,
  goBack,
  proved,
  runUpdate,
  started,
  UpdateFailure,
  type UpdateWorld,
} from './update-machine.ts'

/** What SIGKILL does to the code that runs: nothing after it happens. */
class Killed extends Error {}

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

type Machine = {
  home: string
  journal: UpdateJournal
  /** Format of the data and the rows in it. */
  data: { format: number; rows: string[] }
  /** Versions that end by themselves or are never well. */
  crashes: Set<string>
  unwell: Set<string>
  running: string | undefined
  /** Writes and effects so far; the process is killed before the one with this number. */
  moment: number
  killAt: number
}

function makeMachine(): Machine {
  const home = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'update-machine-'))
  folders.push(home)
  for (const version of ['1.5.3']) makeRelease(releaseFolder(home, version))
  switchTo(home, '1.5.3')
  const journal = openUpdateJournal(join(home, 'data/updates'))
  const data = { format: 1, rows: ['before'] }
  return { home, journal, data, crashes: new Set(), unwell: new Set(), running: '1.5.3', moment: 0, killAt: -1 }
}
function makeRelease(folder: string): void {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'bin/node'), '')
}

const formatOf = (version: string) => (version === '1.6.0' ? 2 : 1)

/** The world of a process of this version: every write of the journal and every effect is a moment at which it may be killed. */
function worldOf(machine: Machine, version: string): UpdateWorld {
  const tick = () => {
    // What is dead does nothing more, also where our code catches what a step throws.
    if (machine.killAt >= 0 && machine.moment >= machine.killAt) throw new Killed()
    machine.moment++
  }
  const around = async (work: () => void) => {
    tick()
    work()
    tick()
    return 'done'
  }
  const { home, data } = machine
  const journal: UpdateJournal = {
    ...machine.journal,
    write(record) {
      tick()
      machine.journal.write(record)
      tick()
    },
    setUnproved(version) {
      tick()
      machine.journal.setUnproved(version)
      tick()
    },
  }
  return {
    home,
    journal,
    version,
    now: () => 1,
    verify: () => around(() => {}),
    unpack: (record) => around(() => makeRelease(draftFolder(home, record.to))),
    place: (version) => {
      rmSync(releaseFolder(home, version), { recursive: true, force: true })
      tick()
      makeRelease(releaseFolder(home, version))
    },
    backup: () => around(() => {}),
    switchTo(version) {
      tick()
      switchTo(home, version)
    },
    stop: async () => void (await around(() => {})),
    copyData: () => around(() => {}),
    undoData: () =>
      around(() => {
        data.format = 1
      }),
  }
}

const recordOf = (kind: 'update' | 'rollback' = 'update'): JournalRecord => ({
  id: `u-${kind}`,
  kind,
  from: kind === 'update' ? '1.5.3' : '1.6.0',
  to: kind === 'update' ? '1.6.0' : '1.5.3',
  by: 'admin',
  began_at: kind === 'update' ? 1 : 2,
  ended_at: null,
  state: kind === 'update' ? 'updating' : 'returning',
  problem: null,
  steps: [],
  log: [],
  upload: '',
  migrations: [],
  point: 'u-update',
  attempts: 0,
})

/** The launcher and the machine's supervisor: starts what is current until a version runs and nothing is under way, as often as needed. */
async function boot(machine: Machine): Promise<void> {
  const wasKilled = machine.killAt >= 0 && machine.moment >= machine.killAt
  if (wasKilled) machine.killAt = -1
  let recovering: string | undefined
  for (let starts = 0; starts < 20; starts++) {
    const version = recovering ?? (currentVersion(machine.home) as string)
    machine.running = undefined
    try {
      const ended = await serve(machine, version)
      if (ended === 'runs') {
        machine.running = version
        return
      }
      recovering = undefined
    } catch (error) {
      if (!(error instanceof Killed) && !(error instanceof Crash)) throw error
      machine.killAt = -1
      // SIGKILL of everything: somebody starts the launcher again. A crash: the launcher is still there.
      recovering = error instanceof Crash && !recovering ? unprovedOf(machine) : undefined
    }
  }
  throw new Error('no version runs')
}
class Crash extends Error {}
let unprovedFile: string | undefined
function unprovedOf(_machine: Machine): string | undefined {
  return unprovedFile
}

async function serve(machine: Machine, version: string): Promise<'runs' | 'restart'> {
  if (machine.crashes.has(version)) throw new Crash()
  const world = worldOf(machine, version)
  if ((await atStart(world)) === 'restart') return 'restart'
  // The processes start: migrations run, data of a later format is refused.
  if (machine.data.format > formatOf(version)) throw new Error(`${version} cannot read format ${machine.data.format}`)
  machine.data.format = formatOf(version)
  machine.data.rows.push(version)
  const record = machine.journal.active()
  if (!record) return 'runs'
  if (machine.unwell.has(version)) {
    const next = await failed(world, record, new UpdateFailure('health', 'never well'))
    return next === 'restart' ? 'restart' : 'runs'
  }
  started(world, record)
  proved(world, record)
  return 'runs'
}

/** Updates or goes back in the running version, killed at the moment `killAt`, and boots until a version runs. */
async function perform(machine: Machine, record: JournalRecord, killAt: number): Promise<void> {
  machine.moment = 0
  machine.killAt = killAt
  const world = worldOf(machine, machine.running as string)
  try {
    world.journal.write(record)
    await (record.kind === 'update' ? runUpdate(world, record) : goBack(world, record))
  } catch (error) {
    if (!(error instanceof Killed)) throw error
  }
  await boot(machine)
}
function expectWhole(machine: Machine, at: string): JournalRecord {
  const { home, data, running } = machine
  expect(running, at).toBe(currentVersion(home))
  expect(data.format, at).toBe(formatOf(running as string))
  expect(data.rows[0], at).toBe('before')
  expect(machine.journal.active(), at).toBeUndefined()
  return machine.journal.all()[0] as JournalRecord
}

describe('steps of an update', () => {
  test('[UPD-01] an update ends in the new version, a rollback in the old one, with data of its format', async () => {
    const machine = makeMachine()
    await perform(machine, recordOf(), -1)
    const record = expectWhole(machine, 'update')
    expect([machine.running, record.state]).toEqual(['1.6.0', 'updated'])
    expect(record.steps.map(({ name }) => name)).toEqual([
      'verify',
      'unpack',
      'backup',
      'stop',
      'copy',
      'switch',
      'start',
      'health',
    ])
    await perform(machine, recordOf('rollback'), -1)
    expect([machine.running, expectWhole(machine, 'rollback').state]).toEqual(['1.5.3', 'returned'])
  })

  test('[UPD-01] killed at any moment of an update, the old or the new version runs with its data, and the journal has ended', async () => {
    const ended = new Set<string>()
    for (let killAt = 0; ; killAt++) {
      const machine = makeMachine()
      await perform(machine, recordOf(), killAt)
      const last = machine.journal.all()[0]
      if (last) ended.add(expectWhole(machine, `killed at ${killAt}`).state)
      else expect(machine.running).toBe('1.5.3')
      if (machine.killAt >= 0) break // it ended before
      expect(killAt).toBeLessThan(200)
    }
    expect([...ended].sort()).toEqual(['failed', 'updated'])
  })

  test('[UPD-01] killed at any moment of a rollback, it is finished by the next start', async () => {
    for (let killAt = 0; ; killAt++) {
      const machine = makeMachine()
      await perform(machine, recordOf(), -1)
      await perform(machine, recordOf('rollback'), killAt)
      expectWhole(machine, `killed at ${killAt}`)
      if (machine.killAt >= 0) break
      expect(killAt).toBeLessThan(200)
      // Before the record is written there is no rollback.
      if (killAt > 0) expect(machine.running).toBe('1.5.3')
    }
  })

  test('[UPD-01] a new version that is never well is undone, also killed at any moment of that', async () => {
    for (let killAt = -1; killAt < 120; killAt++) {
      const machine = makeMachine()
      machine.unwell.add('1.6.0')
      await perform(machine, recordOf(), killAt)
      if (machine.journal.all().length === 0) continue
      const { state } = expectWhole(machine, `killed at ${killAt}`)
      expect(machine.running).toBe('1.5.3')
      expect(['returned', 'failed']).toContain(state)
      if (killAt >= 0 && machine.killAt >= 0) break
    }
  })

  test('[UPD-01] a new version that ends by itself is undone by the version before, which the launcher starts', async () => {
    const machine = makeMachine()
    machine.crashes.add('1.6.0')
    unprovedFile = '1.5.3'
    await perform(machine, recordOf(), -1)
    const { state, problem } = expectWhole(machine, 'crash')
    expect([machine.running, state, problem?.key]).toEqual(['1.5.3', 'returned', 'start'])
    unprovedFile = undefined
  })

  test('[UPD-01] where the version before does not work either, the fallback failure is recorded and the newer one runs again', async () => {
    const machine = makeMachine()
    await perform(machine, recordOf(), -1)
    machine.crashes.add('1.5.3')
    unprovedFile = '1.6.0'
    await perform(machine, recordOf('rollback'), -1)
    expect([machine.running, expectWhole(machine, 'fallback').state]).toEqual(['1.6.0', 'fallback_failed'])
    unprovedFile = undefined
    machine.crashes.clear()
    machine.unwell.add('1.5.3')
    await perform(machine, { ...recordOf('rollback'), id: 'u-again', began_at: 3 }, -1)
    expect([machine.running, expectWhole(machine, 'unwell').state]).toEqual(['1.6.0', 'fallback_failed'])
  })

  test('[UPD-01] a failure before the switch and a cancellation leave the version that runs, and remove what was unpacked', async () => {
    for (const where of ['verify', 'unpack', 'backup', 'copyData', 'stop'] as const) {
      const machine = makeMachine()
      const record = recordOf()
      const world = worldOf(machine, '1.5.3')
      world.journal.write(record)
      const fail = () => Promise.reject(new UpdateFailure('disk', 'full'))
      await runUpdate({ ...world, [where]: fail }, record)
      await boot(machine)
      const { state } = expectWhole(machine, where)
      expect([where, machine.running, state]).toEqual([where, '1.5.3', where === 'stop' ? 'close_failed' : 'failed'])
    }
    const machine = makeMachine()
    const record = recordOf()
    machine.journal.write(record)
    machine.journal.cancel(record.id)
    expect(await runUpdate(worldOf(machine, '1.5.3'), record)).toBe('go on')
    expect(machine.journal.all()[0]?.problem?.key).toBe('cancelled')
  })
})
