import { type FrameworkAttribute, frameworkAttributeId } from '#engines/axml/framework-attributes.ts'
import type { Package } from '#engines/package/package.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { type WrittenDexClass, writeDex } from './dex-writer.ts'
import { type WrittenElement, writeAxml } from './resource-writer.ts'
import { writeZip } from './zip-writer.ts'

type Attributes = Readonly<Record<string, string | number | boolean>>

/** An element of a manifest or another binary XML; attributes that the framework knows get its ids. */
export function element(
  name: string,
  attributes: Attributes = {},
  ...children: readonly WrittenElement[]
): WrittenElement {
  return {
    name,
    attributes: Object.entries(attributes).map(([key, value]) => {
      const id = key === 'package' ? undefined : frameworkAttributeId(key as FrameworkAttribute)
      const typed =
        typeof value === 'boolean'
          ? ([0x12, value ? 0xffffffff : 0] as const)
          : typeof value === 'number'
            ? ([0x10, value] as const)
            : value
      return { name: key, value: typed, ...(id && { id }) }
    }),
    children,
  }
}

export interface MadePackage {
  readonly id?: string
  readonly minSdk?: number
  readonly targetSdk?: number
  /** Attributes of the manifest and of its application. */
  readonly manifest?: Attributes
  readonly application?: Attributes
  /** Children of the application, and others of the manifest. */
  readonly components?: readonly WrittenElement[]
  readonly others?: readonly WrittenElement[]
  readonly classes?: readonly WrittenDexClass[]
  /** Leaves out the empty classes that components without a class of their own get beside `classes`. */
  readonly incomplete?: boolean
  readonly xml?: Readonly<Record<string, WrittenElement>>
  readonly files?: Readonly<Record<string, Uint8Array | string>>
}

/** The bytes of an APK without signature. */
export function apkBytes(made: MadePackage): Uint8Array {
  const { id = 'org.maker.app', minSdk = 29, targetSdk = 35 } = made
  const manifest = element(
    'manifest',
    { package: id, ...made.manifest },
    element('uses-sdk', { minSdkVersion: minSdk, targetSdkVersion: targetSdk }),
    ...(made.others ?? []),
    element('application', made.application ?? {}, ...(made.components ?? [])),
  )
  return writeZip([
    { name: 'AndroidManifest.xml', data: writeAxml(manifest) },
    ...(made.classes ? [{ name: 'classes.dex', data: writeDex([...made.classes, ...stubsOf(made, id)]) }] : []),
    ...Object.entries(made.xml ?? {}).map(([name, root]) => ({ name, data: writeAxml(root) })),
    ...Object.entries(made.files ?? {}).map(([name, data]) => ({ name, data })),
  ])
}

/** An empty class for each component and application class that `classes` does not define, as a complete package has it. */
function stubsOf(made: MadePackage, id: string): WrittenDexClass[] {
  if (made.incomplete) return []
  const nameOf = (value: unknown) => {
    const name = typeof value === 'string' ? value : ''
    return name.startsWith('.') ? id + name : name.includes('.') ? name : name && `${id}.${name}`
  }
  const declared = (made.components ?? [])
    .filter(({ name }) => /^(?:activity|service|receiver|provider)$/.test(name))
    .map(({ attributes }) => nameOf(attributes?.find(({ name }) => name === 'name')?.value))
  const names = new Set([nameOf(made.application?.['name']), ...declared].filter(Boolean))
  const defined = new Set(made.classes!.map(({ name }) => name))
  return [...names]
    .map((name) => `L${name.replaceAll('.', '/')};`)
    .filter((name) => !defined.has(name))
    .map((name) => ({ name, methods: [] }))
}

export const makePackage = (made: MadePackage): Package => readPackage(apkBytes(made), 'made.apk')
