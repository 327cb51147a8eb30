import type { TaskStage } from '#contracts/detection/kinds.ts'
import type { Text } from '#contracts/detection/scan-result.ts'
import type { InstalledPackage } from '#engines/detect/dynamic/read-package-dump.ts'
import type { Place } from '#engines/geo/place.ts'
import { AdbError } from '../../../platform/adb/adb-error.ts'
import type { AdbPhone } from '../../../platform/adb/adb-phone.ts'
import { PhoneCommands } from './phone-commands.ts'

export type PhoneOrder = {
  phone: AdbPhone
  id: string
  sha256: string
  mainActivity: string
  exportedActivities: readonly string[]
  permissions: readonly string[]
  file: { size: number; stream(): AsyncIterable<Uint8Array> }
  /** Seconds that it is left alone after its start, then exercised. */
  lengths: { untouched: number; exercise: number }
  /** Somebody stopped it, or this process ends. */
  signal: AbortSignal
  stage(stage: TaskStage, share: number): void
  log(level: 'info' | 'warning' | 'error', text: Text): void
  /** null where there is no data on places. */
  placeOf: ((address: string) => Place) | null
  /** Milliseconds, never back. */
  clock(): number
}
/** The phone refused, or was gone before anything could be seen. */
export class PhoneRefused extends Error {
  readonly text: Text
  readonly gone: boolean
  constructor(text: Text, gone = false) {
    super(text.en)
    this.text = text
    this.gone = gone
  }
}

const TIDY_MS = 20_000

const say = (zh: string, en: string): Text => ({ zh, en })

export type Readiness = {
  install: 'fresh' | 'present'
  found: InstalledPackage
  sharedBefore: Awaited<ReturnType<PhoneCommands['sharedFiles']>>
  tidied: boolean
}

/** Makes the application ready to be started; whatever goes wrong leaves the phone as it was. Throws PhoneRefused where it may not be run. */
export async function prepare(order: PhoneOrder, commands: PhoneCommands): Promise<Readiness> {
  const { id } = order
  order.stage('install', 0)
  let before = await commands.installed(id)
  if (before && (await commands.isMarked(id))) {
    order.log(
      'warning',
      say('清理上次中断的检测', 'An examination was cut off on this phone: its package is removed first'),
    )
    await commands.stop(id)
    await commands.uninstall(id)
    await commands.unmark(id)
    before = await commands.installed(id)
  }
  if (before && (await commands.installedDigest(id)) !== order.sha256)
    throw new PhoneRefused(
      say(
        `手机上已有另一个安装包（${before.versionName}），为不损坏其数据未做替换，请先卸载`,
        `another build of it (${before.versionName}) is on the phone and is not replaced, so that its data stays: remove it first`,
      ),
    )
  const sharedBefore = await commands.sharedFiles(id)
  const state: Omit<Readiness, 'found'> = { install: before ? 'present' : 'fresh', sharedBefore, tidied: false }
  if (!before) {
    await commands.mark(id)
    const refused = await commands
      .install(order.file.size, order.file.stream(), (sent) => order.stage('install', (0.9 * sent) / order.file.size))
      .catch(async (error: unknown) => {
        await tidy(order, { install: 'fresh' })
        throw error
      })
    if (refused !== null) {
      await commands.unmark(id)
      throw new PhoneRefused(say(`手机拒绝安装：${refused}`, `the phone refuses to install it: ${refused}`))
    }
  }
  const found = await commands.installed(id)
  if (!found) {
    await tidy(order, { install: state.install })
    throw new PhoneRefused(say('安装后找不到应用', 'the application is not there after it was installed'))
  }
  order.log(
    'info',
    before ? say('应用原已安装，保留', 'It was on the phone before and stays') : say('已安装', 'Installed'),
  )
  return { ...state, found }
}

/** Restores the phone, however the run ended: with a time of its own. */
export async function tidy(
  order: Pick<PhoneOrder, 'phone' | 'id' | 'log'>,
  state: { install: 'fresh' | 'present'; tidied?: boolean },
): Promise<void> {
  const commands = new PhoneCommands(order.phone, AbortSignal.timeout(TIDY_MS))
  const { id } = order
  try {
    await commands.stop(id)
    if (state.install === 'fresh') {
      await commands.uninstall(id)
      if (await commands.installed(id)) throw new AdbError('refused', 'it is still installed')
      await commands.unmark(id)
    }
    state.tidied = true
    order.log('info', say('手机已恢复原状', 'The phone is as it was before'))
  } catch (error) {
    const reason = (error as Error).message
    order.log('warning', say(`手机未能恢复原状：${reason}`, `The phone could not be tidied: ${reason}`))
  }
}
