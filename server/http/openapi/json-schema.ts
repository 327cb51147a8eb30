import { z } from 'zod'

export type Json = Record<string, unknown>
export type Direction = 'input' | 'output'

/**
 * Turns schemas into JSON Schema 2020-12 (the dialect of OpenAPI 3.1). A schema that has a name is described once, in `components`, and
 * referred to: `Name` as an answer, `NameInput` as an input that differs from it (defaults, coercion).
 */
export function makeJsonSchemas(named: ReadonlyMap<string, z.ZodType>): {
  of(schema: z.ZodType, direction: Direction): Json
  components: Record<string, Json>
} {
  const names = new Map([...named].map(([name, schema]) => [schema, name]))
  const components: Record<string, Json> = {}
  const refs = new Map<string, string>()

  function of(schema: z.ZodType, direction: Direction): Json {
    const name = names.get(schema)
    return name === undefined ? convert(schema, direction) : { $ref: refTo(name, schema, direction) }
  }

  function refTo(name: string, schema: z.ZodType, direction: Direction): string {
    const key = `${direction} ${name}`
    const known = refs.get(key)
    if (known) return known
    // Reserved first: what is described may refer to itself.
    refs.set(key, `#/components/schemas/${name}`)
    const json = convert(schema, direction)
    const other = components[name]
    const isSame = other === undefined || JSON.stringify(other) === JSON.stringify(json)
    const component = isSame ? name : direction === 'input' ? `${name}Input` : `${name}Answer`
    components[component] = json
    refs.set(key, `#/components/schemas/${component}`)
    return refs.get(key) as string
  }

  function convert(schema: z.ZodType, direction: Direction): Json {
    const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: 'any',
      override({ zodSchema, jsonSchema }) {
        const own = zodSchema as unknown as z.ZodType
        const name = own === schema ? undefined : names.get(own)
        if (name !== undefined) {
          for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
          jsonSchema.$ref = refTo(name, own, direction)
        }
        // An answer may get further fields in a later version: readers ignore them.
        if (direction === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      },
    })
    return json
  }

  return { of, components }
}
