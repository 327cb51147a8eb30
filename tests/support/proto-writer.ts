/** Protobuf messages by field number, for tests of what reads bundles. */
export type ProtoPart = readonly [number: number, value: number | string | Uint8Array]

export function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  while (left > 0x7f) {
    bytes.push((left % 128) | 0x80)
    left = Math.floor(left / 128)
  }
  return Buffer.from([...bytes, left])
}

export function proto(...parts: readonly ProtoPart[]): Buffer {
  return Buffer.concat(
    parts.map(([number, value]) => {
      if (typeof value === 'number') return Buffer.concat([varint(number * 8), varint(value)])
      const bytes = Buffer.from(value as Uint8Array)
      return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
    }),
  )
}

export interface ProtoElement {
  readonly name: string
  readonly attributes?: readonly {
    readonly name: string
    readonly namespace?: string
    readonly id?: number
    readonly value?: string
    readonly item?: Buffer
  }[]
  readonly children?: readonly ProtoElement[]
  readonly text?: string
}

const ANDROID = 'http://schemas.android.com/apk/res/android'

/** An XmlNode of aapt's Resources.proto. */
export function protoXml(element: ProtoElement, line = 1): Buffer {
  const attributes = (element.attributes ?? []).map((attribute): ProtoPart => {
    const android = attribute.id !== undefined || attribute.namespace === ANDROID
    return [
      4,
      proto(
        ...(android ? [[1, ANDROID] as ProtoPart] : []),
        [2, attribute.name],
        ...(attribute.value !== undefined ? [[3, attribute.value] as ProtoPart] : []),
        ...(attribute.id !== undefined ? [[5, attribute.id] as ProtoPart] : []),
        ...(attribute.item ? [[6, attribute.item] as ProtoPart] : []),
      ),
    ]
  })
  const children = (element.children ?? []).map((child): ProtoPart => [5, protoXml(child, line + 1)])
  const text: ProtoPart[] = element.text === undefined ? [] : [[5, proto([2, element.text])]]
  const namespace: ProtoPart[] = line === 1 ? [[1, proto([1, 'android'], [2, ANDROID])]] : []
  return proto([1, proto(...namespace, [3, element.name], ...attributes, ...children, ...text)], [3, proto([1, line])])
}

export const protoString = (value: string): Buffer => proto([2, proto([1, value])])
export const protoReference = (id: number): Buffer => proto([1, proto([2, id])])
export const protoNumber = (value: number): Buffer => proto([7, proto([6, value])])
export const protoBoolean = (value: boolean): Buffer => proto([7, proto([8, value ? 1 : 0])])

export interface ProtoResource {
  readonly type: string
  readonly typeId: number
  readonly entries: readonly {
    readonly name: string
    readonly id: number
    readonly values: readonly { readonly item: Buffer; readonly config?: Buffer }[]
  }[]
}

/** A ResourceTable of aapt's Resources.proto with one package, 0x7f. */
export function protoResources(types: readonly ProtoResource[], packageName = 'com.example'): Buffer {
  const written = types.map(
    ({ type, typeId, entries }): ProtoPart => [
      3,
      proto(
        [1, proto([1, typeId])],
        [2, type],
        ...entries.map(
          ({ name, id, values }): ProtoPart => [
            3,
            proto(
              [1, proto([1, id])],
              [2, name],
              ...values.map(
                ({ item, config }): ProtoPart => [
                  6,
                  proto(...(config ? [[1, config] as ProtoPart] : []), [2, proto([4, item])]),
                ],
              ),
            ),
          ],
        ),
      ),
    ],
  )
  return proto([2, proto([1, proto([1, 0x7f])], [2, packageName], ...written)])
}
