import { readFileSync } from 'node:fs'
import { readPackage } from '#engines/package/read-package.ts'
import { apkBytes, type MadePackage } from '#tests/support/detect-package.ts'
import { assembleSmali, classesOf } from './assemble-smali.ts'
import { type HostRun, runOnHost } from './run-on-host.ts'

const classes = classesOf(readFileSync(new URL('device/device.smali', import.meta.url), 'utf8'))
const isOfApp = (text: string) => /^\.class .*Lorg\/maker\//.test(text)
let phone: Uint8Array | undefined

/** The package of the app in device/device.smali. */
export function phoneApp(made: Omit<MadePackage, 'classes'> = {}): Uint8Array {
  return apkBytes({
    ...made,
    application: { name: '.App', ...made.application },
    files: { 'classes.dex': assembleSmali(classes.filter(isOfApp), 21), ...made.files },
  })
}

/** Classes of the made-up phone as a dex file. */
export function phoneClasses(): Uint8Array {
  phone ??= assembleSmali(classes.filter((text) => !isOfApp(text)))
  return phone
}

/** Starts a process of the package on a made-up phone that says these facts (device/device.smali). */
export async function startOnPhone(apk: Uint8Array, facts: Readonly<Record<string, string>> = {}): Promise<HostRun> {
  const read = readPackage(apk, 'made.apk')
  if (read.kind !== 'apk') throw new Error('no APK')
  const application = read.facts.applicationClass!.value
  const words = Object.entries({ application, ...facts }).map(([name, value]) => `${name}=${value}`)
  return runOnHost([...read.code.map(({ bytes }) => bytes), phoneClasses()], 'device.Device', words)
}
