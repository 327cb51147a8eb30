import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import type { DemoSigners } from './demo-signers.ts'
import { nextDex, packageOf, renamedPackage, signed, withFiles, withManifest } from './edit-package.ts'

/** What the demo's markets offer: the package as its owner publishes it, and what was made out of it. */
export const DEMO_PACKAGES = [
  'genuine',
  'newer',
  're-signed',
  'repackaged',
  'clone',
  'look-alike',
  'unrelated',
] as const
export type DemoPackage = (typeof DEMO_PACKAGES)[number]
export type DemoPackages = Readonly<Record<DemoPackage, Uint8Array>>

/** What the packages are made of: a real application, and a real package of someone else. */
interface Originals {
  readonly application: Uint8Array
  readonly other: Uint8Array
}
interface Application {
  readonly id: string
  readonly label: string
  readonly version: string
  readonly nextVersion: string
}

/** The packages in this folder, made where they are not there: their signatures are random, and a copy stays the same copy over restarts. */
export function demoPackages(
  folder: string,
  originals: () => Originals,
  application: Application,
  signers: DemoSigners,
): DemoPackages {
  const fileOf = (name: DemoPackage) => join(folder, `${name}.apk`)
  const read = () =>
    Object.fromEntries(DEMO_PACKAGES.map((name) => [name, readFileSync(fileOf(name))])) as unknown as DemoPackages
  try {
    return read()
  } catch {
    mkdirSync(folder, { recursive: true })
    for (const [name, bytes] of Object.entries(makePackages(originals(), application, signers))) {
      writeFileSync(`${fileOf(name as DemoPackage)}.new`, bytes)
      renameSync(`${fileOf(name as DemoPackage)}.new`, fileOf(name as DemoPackage))
    }
    return read()
  }
}

/** All packages, made of two real ones. Throws FormatError where these are not what they should be. */
export function makePackages(
  { application, other }: Originals,
  { id, label, version, nextVersion }: Application,
  { owner, pirate }: DemoSigners,
): DemoPackages {
  const versioned = (apk: Uint8Array, name: string) =>
    withManifest(readZip(apk), (editor) => {
      const code = Number(name.replaceAll(/\D/g, ''))
      editor.setAttribute(editor.root, { name: 'versionCode', value: { type: 0x10, data: code } })
      editor.setAttribute(editor.root, { name: 'versionName', value: name })
    })
  // What is the application already stays what it is.
  const own = versioned(packageOf(application) === id ? application : renamedPackage(application, id, label), version)
  const payload = otherDex(other)
  const injected = withManifest(readZip(withFiles(readZip(own), new Map([[nextDex(own), payload]]))), (editor) => {
    editor.addElement(editor.root, 'uses-permission', [{ name: 'name', value: 'android.permission.SEND_SMS' }], 'first')
  })
  const empty = withFiles(readZip(other), new Map([['assets/page.html', text('page')]]), isManifest)
  return {
    genuine: signed(own, owner),
    newer: signed(withFiles(readZip(versioned(own, nextVersion)), new Map([['assets/new.txt', text('new')]])), owner),
    're-signed': signed(own, pirate),
    repackaged: signed(injected, pirate),
    clone: signed(renamedPackage(injected, `${id}.free`, `${label} Free`), pirate),
    'look-alike': signed(versioned(renamedPackage(empty, id, label), nextVersion), pirate),
    unrelated: signed(versioned(renamedPackage(empty, 'net.example.notepad', 'Notepad'), '1.4.0'), pirate),
  }
}

const isManifest = (name: string): boolean => name === 'AndroidManifest.xml'
const text = (word: string): Uint8Array => Buffer.from(`${word}\n`.repeat(400))

function otherDex(other: Uint8Array): Uint8Array {
  const zip = readZip(other)
  const entry = zip.byName.get('classes.dex')
  if (!entry) throw new Error('the other package has no code')
  return entryBytes(zip, entry)
}
