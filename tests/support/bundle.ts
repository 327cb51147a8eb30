import { type FrameworkAttribute, frameworkAttributeId } from '#engines/axml/framework-attributes.ts'
import { type WrittenDexClass, writeDex } from './dex-writer.ts'
import { type ProtoElement, proto, protoBoolean, protoNumber, protoXml } from './proto-writer.ts'
import { writeZip } from './zip-writer.ts'

type Attributes = Readonly<Record<string, string | number | boolean>>

/** An element of a manifest in protobuf; attributes that the framework knows get its ids. */
export function protoElement(name: string, attributes: Attributes = {}, ...children: ProtoElement[]): ProtoElement {
  return {
    name,
    attributes: Object.entries(attributes).map(([key, value]) => {
      const id = key === 'package' || key === 'split' ? undefined : frameworkAttributeId(key as FrameworkAttribute)
      const item =
        typeof value === 'boolean' ? protoBoolean(value) : typeof value === 'number' ? protoNumber(value) : undefined
      return { name: key, ...(id && { id }), value: String(value), ...(item && { item }) }
    }),
    children,
  }
}

export interface MadeModule {
  /** Dex files in the order of loading. */
  readonly dexes?: readonly (readonly WrittenDexClass[])[]
  readonly application?: Attributes
  readonly components?: readonly ProtoElement[]
  /** Children of the manifest beside the application. */
  readonly others?: readonly ProtoElement[]
  readonly files?: Readonly<Record<string, Uint8Array | string>>
}

/** The bytes of an Android App Bundle without signature, the base module first. */
export function bundleBytes(
  modules: Readonly<Record<string, MadeModule>>,
  { minSdk = 29, files = {} }: { minSdk?: number; files?: Readonly<Record<string, Uint8Array | string>> } = {},
): Uint8Array {
  return writeZip([
    { name: 'BundleConfig.pb', data: proto([1, proto([2, '1.15.4'])]) },
    ...Object.entries(modules).flatMap(([name, made]) => [
      {
        name: `${name}/manifest/AndroidManifest.xml`,
        deflate: true,
        data: protoXml(
          protoElement(
            'manifest',
            { package: 'org.maker.app', versionCode: 7, ...(name !== 'base' && { split: name }) },
            protoElement('uses-sdk', { minSdkVersion: minSdk, targetSdkVersion: 35 }),
            ...(made.others ?? []),
            protoElement('application', made.application ?? {}, ...(made.components ?? [])),
          ),
        ),
      },
      ...(made.dexes ?? []).map((classes, i) => ({
        name: `${name}/dex/classes${i ? i + 1 : ''}.dex`,
        deflate: true,
        data: writeDex([...classes]),
      })),
      ...Object.entries(made.files ?? {}).map(([path, data]) => ({ name: `${name}/${path}`, data })),
    ]),
    ...Object.entries(files).map(([name, data]) => ({ name, data })),
  ])
}
