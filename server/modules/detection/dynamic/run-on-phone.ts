import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskStage } from '#contracts/detection/kinds.ts'
import type { Text } from '#contracts/detection/scan-result.ts'
import type { Source } from '#engines/detect/dynamic/judge-run.ts'
import type { InstalledPackage } from '#engines/detect/dynamic/read-package-dump.ts'
import { readPng } from '#engines/detect/dynamic/read-png.ts'
import { RunObserver } from '#engines/detect/dynamic/run-observer.ts'
import type { DynamicResult, Screenshot } from '#engines/detect/result/dynamic-result.ts'
import type { Note } from '#engines/detect/result/scan-result.ts'
import { AdbError } from '../../../platform/adb/adb-error.ts'
import { PhoneCommands } from './phone-commands.ts'
import { type PhoneOrder, PhoneRefused, prepare, type Readiness, tidy } from './prepare-phone.ts'
import { surveyFiles } from './survey-files.ts'

export type PhoneRunEnd = {
  seen: DynamicResult
  missing: Set<Source>
  notes: Note[]
  /** PNG by the name that a screenshot has in `seen`: its place in the list. */
  pictures: Buffer[]
}

const SAMPLE_MS = 1500
const LOG_BYTES = 24 * 1024 * 1024
const MOST_ACTIVITIES = 20
const ACTIVITY_MS = 1500
/** Of the time for exercise: activities opened from outside. */
const ACTIVITY_SHARE = 0.4

const say = (zh: string, en: string): Text => ({ zh, en })

/**
 * Installs, starts and watches one application on a phone, and leaves the phone as it was. A phone that goes away in the middle ends the
 * run: what was seen until then is the result. Throws PhoneRefused where nothing was seen, and the signal's reason where that ended it.
 */
export async function runOnPhone(order: PhoneOrder): Promise<PhoneRunEnd> {
  const commands = new PhoneCommands(order.phone, order.signal)
  let state: Readiness | undefined
  try {
    state = await prepare(order, commands)
    return await watch(order, commands, state)
  } catch (error) {
    order.signal.throwIfAborted()
    if (!(error instanceof AdbError)) throw error
    throw new PhoneRefused(say(`手机没有应答：${error.message}`, `the phone does not answer: ${error.message}`), true)
  } finally {
    // watch() tidies at its own end; this is for everything that ended before.
    if (state && !state.tidied) await tidy(order, state)
  }
}

async function watch(order: PhoneOrder, commands: PhoneCommands, state: Readiness): Promise<PhoneRunEnd> {
  const { id, clock } = order
  const { found } = state
  const missing = new Set<Source>()
  const notes: Note[] = []
  const facts = await commands.facts()
  await commands.wake()
  const privateBefore = found.debuggable && state.install === 'present' ? await commands.privateFiles(id) : new Map()
  const startedAt = await commands.clock()
  const begun = clock()
  const now = () => Math.max(0, Math.round(clock() - begun))
  const observer = new RunObserver({ id, uid: found.uid, startedAt })
  const pictures: Buffer[] = []
  const screenshots: Screenshot[] = []
  const { untouched, exercise } = order.lengths
  const wholeMs = (untouched + exercise) * 1000 + 180_000

  const ended = new AbortController()
  const live = AbortSignal.any([order.signal, ended.signal])
  const reader = new PhoneCommands(order.phone, live)
  let gone: Error | undefined
  const log = reader
    .followLog(startedAt, wholeMs, LOG_BYTES, (line) => observer.logLine(line))
    .then(() => {
      if (!live.aborted) notes.push(note('log-cut', '日志中途结束', 'the log ended before the run did'))
    })
    .catch(() => {}) // the phone is gone: the sampling says so
  const look = async () => {
    const at = now()
    observer.sample(at, await reader.sample(id))
  }
  const sampling = (async () => {
    while (!live.aborted) {
      try {
        await look()
      } catch (error) {
        if (live.aborted) return
        gone = error as Error
        ended.abort(gone)
        return
      }
      await sleep(SAMPLE_MS, undefined, { signal: live }).catch(() => {}) // the run ended
    }
  })()
  const picture = async (when: Screenshot['when']) => {
    const at = now()
    const png = await reader.screenshot().catch(() => null) // noted below
    const size = png && readPng(png)
    if (!png || !size) {
      if (!live.aborted) notes.push(note('screenshot', '一张截图未能取得', 'a screenshot could not be taken'))
      return
    }
    pictures.push(png)
    screenshots.push({ file: '', at, ...size, when })
  }
  const wait = async (stage: TaskStage, seconds: number, from: number, to: number) => {
    for (let second = 0; second < seconds; second++) {
      order.stage(stage, from + ((to - from) * second) / seconds)
      await sleep(1000, undefined, { signal: live })
    }
  }
  const granted: string[] = []
  let before: InstalledPackage | undefined
  let after: InstalledPackage | undefined
  let survey: Awaited<ReturnType<typeof surveyFiles>> | undefined
  let inputs = 0
  const opened = new Set<string>()

  try {
    order.stage('untouched', 0)
    if (order.mainActivity === '') {
      missing.add('activities')
      notes.push(note('no-launcher', '应用没有启动界面', 'the application has no activity to start it by'))
    } else {
      const refused = await reader.open(id, order.mainActivity)
      if (refused !== null) {
        order.log('warning', say(`启动失败：${refused}`, `It does not start: ${refused}`))
        notes.push(note('not-started', `应用没有启动：${refused}`, `it did not start: ${refused}`))
      }
    }
    await wait('untouched', untouched, 0, 1)
    await picture('untouched')
    before = await reader.installed(id)
    await look()
    observer.input(now())
    order.stage('exercise', 0)
    if (state.install === 'fresh')
      for (const permission of order.permissions) if (await reader.grant(id, permission)) granted.push(permission)
    if (granted.length > 0)
      order.log(
        'info',
        say(`已授予 ${granted.length} 项权限`, `${granted.length} permissions granted, so that what needs them runs`),
      )
    const outside = Math.min(
      order.exportedActivities.length,
      MOST_ACTIVITIES,
      Math.floor((exercise * ACTIVITY_SHARE * 1000) / ACTIVITY_MS),
    )
    const random = exercise - (outside * ACTIVITY_MS) / 1000
    if (order.mainActivity !== '') {
      const [made] = await Promise.all([
        reader.inputs(id, random),
        wait('exercise', Math.floor(random), 0, 1 - ACTIVITY_SHARE),
      ])
      inputs = made
    }
    await picture('exercise')
    for (const activity of order.exportedActivities.slice(0, outside)) {
      observer.open(now(), activity)
      const refused = await reader.open(id, activity)
      observer.opened(activity, refused === null ? 'opened' : 'refused', refused ?? '')
      opened.add(activity)
      order.stage('exercise', 1 - ACTIVITY_SHARE + (ACTIVITY_SHARE * opened.size) / outside)
      await sleep(ACTIVITY_MS, undefined, { signal: live })
    }
    if (outside < order.exportedActivities.length) {
      missing.add('activities')
      notes.push(
        note(
          'activities-left',
          `导出界面 ${order.exportedActivities.length} 个，只打开了 ${outside} 个`,
          `${outside} of ${order.exportedActivities.length} exported activities were opened`,
        ),
      )
    }
    order.stage('survey', 0)
    await look()
    await picture('end')
    after = await reader.installed(id)
    order.stage('survey', 0.3)
    survey = await surveyFiles(
      reader,
      id,
      found.debuggable,
      { shared: state.sharedBefore, private: privateBefore },
      (leak) => observer.leak(leak),
    )
    order.stage('survey', 0.7)
  } catch (error) {
    order.signal.throwIfAborted()
    gone ??= error as Error
    if (!(gone instanceof AdbError)) throw gone
    order.log('error', say('手机中途断开', 'The phone went away while the application ran'))
    notes.unshift(
      note(
        'unplugged',
        `手机在 ${Math.round(now() / 1000)} 秒时断开，此后的步骤没有观察`,
        `the phone went away after ${Math.round(now() / 1000)} s: nothing was observed after that`,
      ),
    )
  } finally {
    ended.abort()
    await Promise.allSettled([sampling, log])
  }
  order.signal.throwIfAborted()
  const length = now()
  await tidy(order, state)

  const { answered } = observer
  if (!answered.has('uses')) missing.add('uses')
  if (!answered.has('tcp')) missing.add('tcp')
  if (!answered.has('log')) missing.add('log')
  if (!survey?.private) missing.add('private_files')
  if (!survey?.shared) missing.add('external_files')
  if (!order.placeOf) missing.add('places')
  if (gone && opened.size < Math.min(order.exportedActivities.length, MOST_ACTIVITIES)) missing.add('activities')
  if (!state.tidied)
    notes.push(
      note(
        'not-tidied',
        '手机未能恢复原状，应用可能仍在手机上',
        'the phone could not be tidied: the application may still be on it',
      ),
    )
  const seen = observer.seen(length, gone !== undefined, order.placeOf)
  if (gone && observer.answered.size === 0)
    throw new PhoneRefused(say('手机在启动应用前断开', 'the phone went away before anything was seen'), true)
  const { logLines, ...parts } = seen
  return {
    seen: {
      phone: facts,
      run: {
        complete: gone === undefined,
        install: state.install,
        tidied: state.tidied,
        firstInput: observer.firstInput,
        length,
        inputs,
        logLines,
        privateFiles: survey?.private ?? false,
      },
      ...parts,
      permissions: permissionsOf(found, before, after, granted),
      files: survey?.files ?? [],
      screenshots,
    },
    missing,
    notes,
    pictures,
  }
}

const note = (key: string, zh: string, en: string): Note => ({ key, text: { zh, en } })

function permissionsOf(
  found: InstalledPackage,
  before: InstalledPackage | undefined,
  after: InstalledPackage | undefined,
  byUs: readonly string[],
): DynamicResult['permissions'] {
  const names = new Set([found, before, after].flatMap((one) => [...(one?.granted.keys() ?? [])]))
  return [...names]
    .sort()
    .slice(0, 1000)
    .map((name) => ({
      name,
      before: before?.granted.get(name) ?? null,
      after: after?.granted.get(name) ?? null,
      byUs: byUs.includes(name),
    }))
}
