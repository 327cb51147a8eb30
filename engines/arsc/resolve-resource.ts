import { isReference, type TypedValue } from '../axml/typed-value.ts'
import { betterConfig, type ConfigPreference, configMatches, DEFAULT_PREFERENCE } from './resource-config.ts'
import { ARSC_LIMITS, type ArscLimits, type ResourceTable, type ResourceValue } from './resource-table.ts'

/**
 * The value that a device of the preferred kind takes for a resource, references followed; where nothing fits it, the first value
 * there is, since a name in another language says more than none.
 * Undefined for an unknown id, for one whose value has parts, and for references in a circle or longer than the limit.
 */
export function resolveResource(
  table: ResourceTable,
  id: number,
  preference: Partial<ConfigPreference> = {},
  limits: ArscLimits = ARSC_LIMITS,
): (ResourceValue & { readonly value: TypedValue }) | undefined {
  const want = { ...DEFAULT_PREFERENCE, ...preference }
  let wanted = id
  for (let depth = 0; depth < limits.referenceDepth; depth++) {
    const best = bestOf(table.valuesOf(wanted), want)
    if (!best?.value) return undefined
    const { value } = best
    if (!isReference(value)) return { ...best, value }
    wanted = value.data
  }
  return undefined
}

function bestOf(values: readonly ResourceValue[], want: ConfigPreference): ResourceValue | undefined {
  let best: ResourceValue | undefined
  for (const value of values)
    if (configMatches(value.config, want) && (!best || betterConfig(value.config, best.config, want))) best = value
  return best ?? values[0]
}
