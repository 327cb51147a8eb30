import { AxmlEditor, type EditableElement } from '#engines/axml/axml-editor.ts'
import { FormatError } from '#engines/bytes/format-error.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { type SigningScheme, signApk } from '#engines/signing/sign-apk.ts'
import type { SigningKey } from '#engines/signing/signing-key.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { replaceEntries } from '#engines/zip/replace-entries.ts'
import type { ZipArchive } from '#engines/zip/zip-facts.ts'
import { ZipWriter } from '#engines/zip/zip-writer.ts'

/** What people who copy packages do to them, with the product's own writers. */

/** The package signed with this key, by v1 and these schemes. Throws FormatError where it cannot be signed. */
export function signed(
  apk: ZipArchive | Uint8Array,
  key: SigningKey,
  schemes: readonly SigningScheme[] = ['v2', 'v3'],
): Uint8Array {
  const zip = apk instanceof Uint8Array ? readZip(apk) : apk
  const request = {
    key,
    alias: 'key',
    schemes: new Set(['v1', ...schemes] as const),
    minSdk: 21,
    createdBy: 'monitoring report',
  }
  return Buffer.concat(signApk(zip, request).pieces.map((piece) => Buffer.from(piece)))
}

/** The application id of an APK; '' of anything else. */
export const packageOf = (apk: Uint8Array): string => {
  const found = readPackage(apk, 'a.apk')
  return found.kind === 'apk' ? (found.facts.package?.value ?? '') : ''
}

/** The archive with files added or replaced; what `keeps` refuses is left out. */
export function withFiles(
  zip: ZipArchive,
  files: ReadonlyMap<string, Uint8Array>,
  keeps: (name: string) => boolean = () => true,
): Uint8Array {
  const parts: Uint8Array[] = []
  const writer = new ZipWriter((bytes) => void parts.push(Buffer.from(bytes)))
  for (const entry of zip.byName.values()) if (!files.has(entry.name) && keeps(entry.name)) writer.copy(zip, entry)
  for (const [name, content] of files) writer.add(name, content)
  writer.finish()
  return Buffer.concat(parts)
}

/** Every entry unpacked and packed again, without alignment, times and attributes. */
export function repacked(zip: ZipArchive): Uint8Array {
  const contents = [...zip.byName.values()].filter(({ isDirectory }) => !isDirectory)
  return withFiles(zip, new Map(contents.map((entry) => [entry.name, entryBytes(zip, entry)])), () => false)
}

/** The package with its manifest changed. Throws FormatError where the editor does not take it. */
export function withManifest(zip: ZipArchive, change: (editor: AxmlEditor) => void): Uint8Array {
  const entry = zip.byName.get('AndroidManifest.xml')
  if (!entry) throw new FormatError('apk', 'manifest', -1, 'no AndroidManifest.xml')
  const editor = new AxmlEditor(entryBytes(zip, entry))
  change(editor)
  return replaceEntries(zip, new Map([[entry, editor.write()]]))
}

/** The name of the dex file that comes after those that are there. */
export function nextDex(apk: Uint8Array): string {
  const { byName } = readZip(apk)
  for (let at = 2; ; at++)
    if (!byName.has(`classes${at}.dex`)) return byName.has('classes.dex') ? `classes${at}.dex` : 'classes.dex'
}

/** Elements of a manifest that name classes. */
export const COMPONENTS = ['activity', 'activity-alias', 'service', 'receiver', 'provider']
/** The text of an attribute, where it is one. */
export const textOf = (element: EditableElement, name: string): string | undefined => {
  const found = element.attributes.find((one) => one.name === name)
  return typeof found?.data === 'string' ? found.data : undefined
}

/** Another application id; components keep their classes, as their names are written out first. */
export function renamedPackage(apk: Uint8Array, name: string, label: string): Uint8Array {
  const id = packageOf(apk)
  return withManifest(readZip(apk), (editor) => {
    const application = editor.childrenOf(editor.root, 'application')[0]
    if (!application) return
    const whole = (name: string) => (name.startsWith('.') ? id + name : name.includes('.') ? name : `${id}.${name}`)
    const elements = [application, ...COMPONENTS.flatMap((kind) => editor.childrenOf(application, kind))]
    for (const element of elements)
      for (const name of ['name', 'targetActivity'] as const) {
        const value = textOf(element, name)
        if (value) editor.setAttribute(element, { name, value: whole(value) })
      }
    editor.setAttribute(editor.root, { name: 'package', plain: true, value: name })
    editor.setAttribute(application, { name: 'label', value: label })
  })
}

/** Label and densest PNG of the icon; null where the icon is no PNG. */
export function lookOf(apk: Uint8Array): { label: string; icon: Uint8Array } | null {
  const found = readPackage(apk, 'a.apk')
  if (found.kind !== 'apk') return null
  const zip = found.archives[0]!.zip
  const icon = found.facts.icons.find(({ path, attribute }) => attribute === 'icon' && path.endsWith('.png'))
  const entry = icon && zip.byName.get(icon.path)
  const isDrawn = found.facts.icons.some(({ path }) => path.endsWith('.xml'))
  const label = found.facts.label?.value
  return entry && label && !isDrawn ? { label, icon: entryBytes(zip, entry) } : null
}

/** The package with this picture for each of its icons; null where one is no PNG. */
export function withIcons(zip: ZipArchive, icon: Uint8Array): Uint8Array | null {
  const found = readPackage(zip.bytes, 'a.apk')
  if (found.kind !== 'apk' || found.facts.icons.some(({ path }) => !path.endsWith('.png'))) return null
  const paths = found.facts.icons.filter(({ path }) => zip.byName.has(path)).map(({ path }) => path)
  return paths.length ? withFiles(zip, new Map(paths.map((path) => [path, icon]))) : null
}
