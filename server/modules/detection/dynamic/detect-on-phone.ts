import { Readable } from 'node:stream'
import type { PhoneRun, TaskStage } from '#contracts/detection/kinds.ts'
import type { Text } from '#contracts/detection/scan-result.ts'
import { dynamicScan } from '#engines/detect/dynamic/dynamic-scan.ts'
import type { ScanResult } from '#engines/detect/result/scan-result.ts'
import type { PlaceLookup } from '#engines/geo/place.ts'
import type { FileStore } from '#storage/files/port.ts'
import { listPhones } from '../../../platform/adb/adb-client.ts'
import type { AdbAddress } from '../../../platform/adb/adb-connection.ts'
import { AdbPhone } from '../../../platform/adb/adb-phone.ts'
import type { TaskRow } from '../task-rows.ts'
import { isClassName, isPackageName } from './phone-commands.ts'
import { PhoneRefused } from './prepare-phone.ts'
import { runOnPhone } from './run-on-phone.ts'

/** Dependencies of dynamic detection. */
export type PhoneDeps = {
  adb: AdbAddress
  places: PlaceLookup
  /** Seconds that an application is left alone, then exercised. */
  lengths: Readonly<Record<PhoneRun, { untouched: number; exercise: number }>>
}

type Progress = {
  stage(stage: TaskStage, share: number): void
  log(level: 'info' | 'warning' | 'error', text: Text): void
}

const NO_PHONE: Text = {
  zh: '电脑未连接手机...',
  en: 'The computer is not connected to the mobile phone...',
}

/** The phone of a task as it is now; throws PhoneRefused where it is not connected. */
export async function readyPhone({ adb }: PhoneDeps, task: Pick<TaskRow, 'phone'>): Promise<AdbPhone> {
  const serial = task.phone?.serial
  const phones = await listPhones(adb)
  if (!phones.some((one) => one.serial === serial) || serial === undefined) throw new PhoneRefused(NO_PHONE, true)
  return new AdbPhone(adb, serial)
}

/** One application at a time on a phone. */
const busy = new Map<string, Promise<unknown>>()

async function alone<T>(serial: string, signal: AbortSignal, waiting: () => void, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const others = busy.get(serial)
    if (!others) break
    waiting()
    await others
    signal.throwIfAborted()
  }
  const mine = work()
  // The caller of `mine` sees its error.
  const settled = mine.catch(() => {}).finally(() => busy.delete(serial))
  busy.set(serial, settled)
  return mine
}

/**
 * Runs the application of a task on its phone and answers the result: what the package says comes from `base`, a scan of it. Throws
 * PhoneRefused where nothing could be seen.
 */
export async function detectOnPhone(
  deps: PhoneDeps & { files: FileStore },
  task: Pick<TaskRow, 'phone' | 'sha256' | 'strategy'>,
  base: ScanResult,
  progress: Progress,
  signal: AbortSignal,
): Promise<ScanResult> {
  const { id, mainClass } = base.package
  if (!isPackageName(id) || (mainClass !== '' && !isClassName(mainClass)))
    throw new PhoneRefused({ zh: '包名不合法，无法安装', en: 'its package name is none that a phone installs' })
  const phone = await readyPhone(deps, task)
  const file = await deps.files.open(task.sha256)
  const waiting = () => progress.log('info', { zh: '等待手机空闲', en: 'Waiting for the phone to be free' })
  const { seen, missing, notes, pictures } = await alone(phone.serial, signal, waiting, () =>
    runOnPhone({
      phone,
      id,
      sha256: task.sha256,
      mainActivity: mainClass,
      exportedActivities: base.components
        .filter((one) => one.kind === 'activity' && one.exported && one.permission === null && one.name !== mainClass)
        .map(({ name }) => name)
        .filter(isClassName),
      permissions: base.permissions.flatMap((one) => (one.dangerous && one.state !== 'undeclared' ? [one.name] : [])),
      file: { size: file.size, stream: () => file.stream() },
      lengths: deps.lengths[task.phone?.run ?? 'normal'],
      signal,
      ...progress,
      placeOf: deps.places.state === 'ok' ? deps.places : null,
      clock: () => performance.now(),
    }),
  )
  const names: string[] = []
  for (const png of pictures) names.push((await deps.files.put(Readable.from([png]))).sha256)
  const screenshots = seen.screenshots.map((one, index) => ({ ...one, file: names[index] ?? '' }))
  const { items, levels } = task.strategy
  return dynamicScan(base, { ...seen, screenshots }, missing, notes, { items, levels })
}
