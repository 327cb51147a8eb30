import { localeOf, type ResourceConfig } from '../arsc/resource-config.ts'
import { ARSC_LIMITS, type ArscLimits, type NamedResource, type ResourceTable } from '../arsc/resource-table.ts'
import { FormatError } from '../bytes/format-error.ts'
import { protoValue } from './proto-value.ts'
import { type ProtoMessage, protoField, protoFields, protoText } from './protobuf.ts'

/** Values of one table; more throw FormatError `limit`. */
const MOST_VALUES = 5_000_000

/**
 * Reads the resources of a bundle (ResourceTable of aapt's Resources.proto). Throws FormatError of `protobuf`, and of `proto-resources`: `limit`.
 */
export function readProtoResources(bytes: Uint8Array, limits: ArscLimits = ARSC_LIMITS): ResourceTable {
  const all: NamedResource[] = []
  const byId = new Map<number, NamedResource[]>()
  const packages = [...protoFields({ bytes, offset: 0 })].filter(({ number }) => number === 2)
  if (packages.length > limits.packages)
    throw new FormatError('proto-resources', 'limit', 0, `more than ${limits.packages} packages`)
  for (const owner of packages)
    for (const resource of resourcesOf(owner, packages.length > 1)) {
      if (all.length >= MOST_VALUES)
        throw new FormatError('proto-resources', 'limit', resource.offset, `more than ${MOST_VALUES} values`)
      all.push(resource)
      const same = byId.get(resource.id)
      if (same) same.push(resource)
      else byId.set(resource.id, [resource])
    }
  return {
    valuesOf: (id) => byId.get(id) ?? [],
    nameOf: (id) => byId.get(id)?.[0]?.name,
    all: () => all,
    locales: () => [...new Set(all.map(({ config }) => localeOf(config)))].sort(),
    notes: [],
  }
}

function* resourcesOf(owner: ProtoMessage, several: boolean): Generator<NamedResource> {
  const packageId = idOf(protoField(owner, 1))
  const packageName = protoText(protoField(owner, 2))
  for (const type of protoFields(owner)) {
    if (type.number !== 3) continue
    const typeId = idOf(protoField(type, 1))
    const typeName = protoText(protoField(type, 2))
    for (const entry of protoFields(type)) {
      if (entry.number !== 3) continue
      const key = idOf(protoField(entry, 1))
      const name = `${several ? `${packageName}:` : ''}${typeName}/${protoText(protoField(entry, 2))}`
      const id = (((packageId & 0xff) << 24) | ((typeId & 0xff) << 16) | (key & 0xffff)) >>> 0
      for (const configured of protoFields(entry)) {
        if (configured.number !== 6) continue
        const config = protoField(configured, 1)
        const held = protoField(configured, 2)
        const item = held && protoField(held, 4)
        const value = item && protoValue(item)
        yield { id, name, key, offset: configured.offset, config: configOf(config), ...(value && { value }) }
      }
    }
  }
}

const idOf = (message: ProtoMessage | undefined): number => (message ? (protoField(message, 1)?.value ?? 0) : 0)

const ANY: ResourceConfig = {
  mcc: 0,
  mnc: 0,
  language: '',
  country: '',
  script: '',
  orientation: 0,
  density: 0,
  sdk: 0,
  smallestWidth: 0,
  width: 0,
  height: 0,
  layoutDirection: 0,
  screenSize: 0,
  uiType: 0,
  night: 0,
}

function configOf(message: ProtoMessage | undefined): ResourceConfig {
  if (!message) return ANY
  const numbers = new Map<number, number>()
  let locale = ''
  for (const field of protoFields(message)) {
    if (field.number === 3) locale = protoText(field)
    else numbers.set(field.number, field.value)
  }
  const of = (number: number) => numbers.get(number) ?? 0
  const [language = '', ...rest] = locale.split('-')
  return {
    mcc: of(1),
    mnc: of(2),
    language,
    script: rest.find((part) => part.length === 4) ?? '',
    country: rest.find((part) => part.length === 2 || part.length === 3) ?? '',
    layoutDirection: of(4) ? 0x40 * of(4) : 0,
    width: of(7),
    height: of(8),
    smallestWidth: of(9),
    screenSize: of(10),
    orientation: of(15),
    uiType: of(16),
    // Here 1 is night, in binary tables 0x20 is.
    night: of(17) === 1 ? 0x20 : of(17) === 2 ? 0x10 : 0,
    density: of(18),
    sdk: of(24),
  }
}
