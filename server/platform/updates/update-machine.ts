import { rmSync } from 'node:fs'
import type { UpdateProblem, UpdateStep } from '#contracts/http/updates.ts'
import { currentVersion, draftFolder, releaseFolder } from './installation.ts'
import type { JournalRecord, UpdateJournal } from './update-journal.ts'

/**
 * The steps of an update and of a rollback. Each is written to the journal before it begins and after it ended, and can be repeated: a
 * start after a crash continues, or undoes what was begun. The processes of the product run in the steps before `stop` and from `start` on.
 */
export type UpdateWorld = {
  /** The installation: releases, and the link to the current one. */
  home: string
  journal: UpdateJournal
  /** Version of the code that runs now. */
  version: string
  now(): number
  /** Signature, manifest, versions, formats, space. Answers what to show; throws UpdateFailure. */
  verify(record: JournalRecord): Promise<string>
  /** Puts the release into the draft folder, flushed to disk. */
  unpack(record: JournalRecord): Promise<string>
  backup(record: JournalRecord): Promise<string>
  /** Ends every process of the product, the database included. Throws where one stays. */
  stop(): Promise<void>
  /** Copies, while nothing runs, what migrations of the new version will change. */
  copyData(record: JournalRecord): Promise<string>
  /** Makes the data such that the older version reads them; may be repeated. */
  undoData(record: JournalRecord): Promise<string>
  /** Puts the complete draft in place, under its name. */
  place(version: string): void
  /** From the next start on this version runs: one rename. */
  switchTo(version: string): void
}

/** What the caller does next: start the product, or end with the code upon which the launcher starts the current release. */
export type Next = 'start' | 'restart'

export class UpdateFailure extends Error {
  readonly key: UpdateProblem
  constructor(key: UpdateProblem, detail: string) {
    super(detail)
    this.name = 'UpdateFailure'
    this.key = key
  }
}

/** A version that was started so often without proving itself is given up. */
const ATTEMPTS = 3

/** Version that runs when everything is undone, and the one that is tried. */
const olderOf = ({ kind, from, to }: JournalRecord) => (kind === 'update' ? from : to)
const newerOf = ({ kind, from, to }: JournalRecord) => (kind === 'update' ? to : from)

/**
 * Installs the package of a new record. Answers `start` where it failed before anything was stopped, so that the product simply goes on:
 * then the record has ended.
 */
export async function runUpdate(world: UpdateWorld, record: JournalRecord): Promise<Next | 'go on'> {
  try {
    await step(world, record, 'verify', () => world.verify(record))
    checkCancelled(world, record)
    await step(world, record, 'unpack', async () => {
      const detail = await world.unpack(record)
      world.place(record.to)
      return detail
    })
    checkCancelled(world, record)
    await step(world, record, 'backup', () => world.backup(record))
    checkCancelled(world, record)
  } catch (error) {
    abandon(world, record, problemOf(error))
    return 'go on'
  }
  return switchOver(world, record)
}

/** Throws where an administrator has asked to go back. */
export function checkCancelled({ journal }: UpdateWorld, { id }: JournalRecord): void {
  if (journal.isCancelled(id)) throw new UpdateFailure('cancelled', '')
}

async function switchOver(world: UpdateWorld, record: JournalRecord): Promise<Next> {
  try {
    await step(world, record, 'stop', stopAll(world))
  } catch (error) {
    abandon(world, record, problemOf(error), 'close_failed')
    return 'restart'
  }
  try {
    await step(world, record, 'copy', () => world.copyData(record))
    await step(world, record, 'switch', async () => {
      world.journal.setUnproved(record.from)
      world.switchTo(record.to)
      return ''
    })
  } catch (error) {
    if (currentVersion(world.home) !== record.from) world.switchTo(record.from)
    abandon(world, record, problemOf(error))
  }
  return 'restart'
}

/**
 * First thing of every start: continues or undoes an update that was under way. The caller then starts the product, and calls `proved` or
 * `failed` where `journal.active()` still answers a record.
 */
export async function atStart(world: UpdateWorld): Promise<Next> {
  const { journal, home, version } = world
  const record = journal.active()
  const pointer = currentVersion(home)
  if (!record) {
    journal.setUnproved(undefined)
    return pointer === version ? 'start' : 'restart'
  }
  const step = record.steps.at(-1)?.name
  if (record.state === 'updating') {
    if (version === record.to) {
      record.attempts++
      write(world, record, `start ${record.attempts} of ${version}`)
      if (record.attempts > ATTEMPTS) return goBack(world, record, new UpdateFailure('start', `${ATTEMPTS} starts`))
      begin(world, record, 'start')
      return 'start'
    }
    // The launcher started the version before: the new one ended by itself.
    if (pointer === record.to) return goBack(world, record, new UpdateFailure('start', `${record.to} ended by itself`))
    abandon(world, record, new UpdateFailure('interrupted', step ?? ''))
    return 'start'
  }
  const older = olderOf(record)
  if (pointer !== older) return continueBack(world, record)
  if (version === older) {
    record.attempts++
    if (record.kind === 'rollback' && record.attempts > ATTEMPTS) return giveBackUp(world, record, 'start')
    begin(world, record, 'back_start')
    return 'start'
  }
  // The launcher started the newer version: the older one, to which it was to go back, ended by itself.
  return giveBackUp(world, record, 'start')
}

/** Does not even begin: nothing was changed. */
export function refuse(world: UpdateWorld, record: JournalRecord, problem: UpdateFailure): void {
  end(world, record, record.kind === 'update' ? 'failed' : 'fallback_failed', problem)
}

/** The product works in the version that was switched to. */
export function proved(world: UpdateWorld, record: JournalRecord): void {
  // In this order: were the record ended first, a crash here would let the launcher fall back without anyone to undo the data.
  world.journal.setUnproved(undefined)
  end(world, record, record.state === 'returning' ? 'returned' : 'updated')
}

/** The product was started and answers; from now on it has to stay well. */
export function started(world: UpdateWorld, record: JournalRecord): void {
  begin(world, record, record.state === 'returning' ? 'back_health' : 'health')
}

/** The version that was switched to does not work: back to the other one. */
export async function failed(world: UpdateWorld, record: JournalRecord, cause: unknown): Promise<Next> {
  const problem = problemOf(cause)
  if (record.state === 'updating') return goBack(world, record, problem)
  if (record.kind === 'rollback') return giveBackUp(world, record, problem.key)
  end(world, record, 'fallback_failed', problem)
  return 'start'
}

/** Undoes an update, or does what a rollback is for: data first, then the pointer. */
export async function goBack(world: UpdateWorld, record: JournalRecord, problem?: UpdateFailure): Promise<Next> {
  record.state = 'returning'
  record.attempts = 0
  if (problem) {
    record.problem = { key: problem.key, detail: problem.message }
    note(world, record, `${problem.key}: ${problem.message}`, true)
  }
  world.journal.write(record)
  return continueBack(world, record)
}

async function continueBack(world: UpdateWorld, record: JournalRecord): Promise<Next> {
  try {
    await step(world, record, 'back_stop', stopAll(world))
    await step(world, record, 'back_data', () => world.undoData(record))
    await step(world, record, 'back_switch', async () => {
      world.journal.setUnproved(record.kind === 'rollback' ? newerOf(record) : undefined)
      world.switchTo(olderOf(record))
      return ''
    })
  } catch (error) {
    // The newer version still has its data: better that it runs than nothing.
    world.journal.setUnproved(undefined)
    end(world, record, 'fallback_failed', problemOf(error))
    return 'restart'
  }
  if (world.version !== olderOf(record)) return 'restart'
  begin(world, record, 'back_start')
  return 'start'
}

/** The older version does not work either: the newer one, from which an administrator wanted to go back, runs again. */
async function giveBackUp(world: UpdateWorld, record: JournalRecord, key: UpdateProblem): Promise<Next> {
  const newer = newerOf(record)
  await world.stop()
  world.switchTo(newer)
  world.journal.setUnproved(undefined)
  end(world, record, 'fallback_failed', new UpdateFailure(key, `${olderOf(record)} does not work`))
  return world.version === newer ? 'start' : 'restart'
}

/** Nothing was switched: what was prepared is removed. */
function abandon(
  world: UpdateWorld,
  record: JournalRecord,
  problem: UpdateFailure,
  state: 'failed' | 'close_failed' = 'failed',
): void {
  const { home, journal } = world
  write(world, record, `${state}: nothing was switched`, true)
  const used = new Set([currentVersion(home), world.version, ...journal.all().map(({ from }) => from)])
  rmSync(draftFolder(home, record.to), { recursive: true, force: true })
  if (!used.has(record.to)) rmSync(releaseFolder(home, record.to), { recursive: true, force: true })
  rmSync(journal.pointFolder(record.id), { recursive: true, force: true })
  journal.setUnproved(undefined)
  end(world, record, state, problem)
}

const stopAll = (world: UpdateWorld) => async () => {
  await world.stop().catch((error: unknown) => {
    throw new UpdateFailure('close', error instanceof Error ? error.message : String(error))
  })
  return ''
}

/** Runs a step between two entries of the journal. */
async function step(
  world: UpdateWorld,
  record: JournalRecord,
  name: UpdateStep,
  work: () => Promise<string>,
): Promise<void> {
  begin(world, record, name)
  const detail = await work()
  const entry = record.steps.at(-1) as JournalRecord['steps'][number]
  entry.ended_at = world.now()
  entry.detail = detail
  write(world, record, detail ? `${name}: ${detail}` : name)
}

/** A repeated step replaces its earlier entry and those that came after it. */
function begin(world: UpdateWorld, record: JournalRecord, name: UpdateStep): void {
  const at = world.now()
  const again = record.steps.findIndex((one) => one.name === name)
  if (again >= 0) record.steps.splice(again)
  const last = record.steps.at(-1)
  if (last && last.ended_at === null) last.ended_at = at
  record.steps.push({ name, began_at: at, ended_at: null, detail: '' })
  world.journal.write(record)
}

function end(world: UpdateWorld, record: JournalRecord, state: JournalRecord['state'], problem?: UpdateFailure): void {
  const at = world.now()
  const last = record.steps.at(-1)
  if (last && last.ended_at === null) last.ended_at = at
  record.state = state
  record.ended_at = at
  if (problem) record.problem = { key: problem.key, detail: problem.message }
  write(world, record, problem ? `${state}: ${problem.key} ${problem.message}` : state, problem !== undefined)
}

function note(world: UpdateWorld, record: JournalRecord, text: string, warning = false): void {
  record.log.push({ at: world.now(), text, warning })
}

function write(world: UpdateWorld, record: JournalRecord, text: string, warning = false): void {
  note(world, record, text, warning)
  world.journal.write(record)
}

function problemOf(error: unknown): UpdateFailure {
  if (error instanceof UpdateFailure) return error
  return new UpdateFailure('internal', error instanceof Error ? error.message : String(error))
}
