import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findAttribute } from '#engines/axml/find-attribute.ts'
import { readAxml } from '#engines/axml/read-axml.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { apkBytes, type MadePackage } from '#tests/support/detect-package.ts'
import { assembleSmali, classesOf } from './assemble-smali.ts'
import { type HostRun, runOnHost } from './run-on-host.ts'

const classes = ['device', 'framework', 'files', 'preferences'].flatMap((name) =>
  classesOf(readFileSync(new URL(`device/${name}.smali`, import.meta.url), 'utf8')),
)
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

/**
 * Starts a process of the package on a made-up phone that says these facts (device/device.smali, device/framework.smali). `more`: dex files of classes that
 * are beside those of Android.
 */
export async function startOnPhone(
  apk: Uint8Array,
  facts: Readonly<Record<string, string>> = {},
  more: readonly Uint8Array[] = [],
): Promise<HostRun> {
  const folder = mkdtempSync(join(tmpdir(), 'aw-phone-'))
  try {
    // A process that gives up its rights as an app has none reads the package, too.
    chmodSync(folder, 0o755)
    const code = join(folder, 'base.apk')
    writeFileSync(code, apk)
    const words = Object.entries({ ...manifestFacts(apk), code, codeCache: folder, ...facts })
    const args = words.map(([name, value]) => `${name}=${value}`)
    return await runOnHost([phoneClasses(), ...more], 'device.Device', args)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function manifestFacts(apk: Uint8Array): Record<string, string> {
  const read = readPackage(apk, 'made.apk')
  if (read.kind !== 'apk') throw new Error('no APK')
  const { zip } = read.archives[0]!
  const { root } = readAxml(entryBytes(zip, zip.byName.get('AndroidManifest.xml')!))
  const application = root.children.find(({ name }) => name === 'application')!
  const factory = findAttribute(application, 'appComponentFactory')?.value.text
  const { applicationClass, components } = read.facts
  const providers = components.filter(({ kind }) => kind === 'provider').map(({ name }) => `${name},`)
  return {
    ...(applicationClass && { application: applicationClass.value }),
    ...(factory && { factory }),
    providers: providers.join(''),
  }
}
