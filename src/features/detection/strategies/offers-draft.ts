import { APPLICATION_TYPES, type ApplicationType, type DetectionKind } from '#contracts/detection/kinds.ts'
import type { Offer } from '#contracts/http/detection/tasks.ts'

/** Lines in the order of the table: by package kind as the server lists them, the general one first. */
export function ordered(offers: readonly Offer[]): Offer[] {
  const kinds = [...new Set(offers.map((one) => one.package_kind))]
  const types = Object.keys(APPLICATION_TYPES)
  const rank = ({ package_kind, application_type }: Offer) =>
    kinds.indexOf(package_kind) * 100 + (application_type === null ? 0 : types.indexOf(application_type) + 1)
  return offers.toSorted((a, b) => rank(a) - rank(b))
}

const isLine = (line: Offer, other: Offer) =>
  line.package_kind === other.package_kind && line.application_type === other.application_type

/** The table with one kind of one line switched. */
export function switched(offers: readonly Offer[], line: Offer, kind: DetectionKind): Offer[] {
  return offers.map((one) => {
    if (!isLine(one, line)) return one
    const has = one.kinds.includes(kind)
    return { ...one, kinds: has ? one.kinds.filter((other) => other !== kind) : [...one.kinds, kind] }
  })
}

/** The table with a line of its own for a type, which begins as what the package kind offers. */
export function withLine(offers: readonly Offer[], general: Offer, type: ApplicationType): Offer[] {
  return ordered([...offers, { ...general, application_type: type }])
}

export function withoutLine(offers: readonly Offer[], line: Offer): Offer[] {
  return offers.filter((one) => !isLine(one, line))
}

/** Application types that have no line of their own yet. */
export function openTypes(offers: readonly Offer[], general: Offer): ApplicationType[] {
  return (Object.keys(APPLICATION_TYPES) as ApplicationType[]).filter(
    (type) => !offers.some((one) => one.package_kind === general.package_kind && one.application_type === type),
  )
}
