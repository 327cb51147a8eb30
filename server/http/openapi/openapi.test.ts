import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ERRORS } from '#contracts/errors.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { ENDPOINTS, SCHEMAS } from '#contracts/http/index.ts'
import { makeJsonSchemas } from './json-schema.ts'
import { openApi } from './openapi.ts'

type Operation = {
  operationId: string
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { required: boolean; content: Record<string, { schema: object }> }
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, { schema: object }> }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: Record<'schemas' | 'responses' | 'securitySchemes', Record<string, object>>
}
const document = openApi('1.5.3') as Document
const operationOf = ({ path, method }: Endpoint) =>
  document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Operation
const operations = Object.values(document.paths).flatMap((one) => Object.values(one))

/** Every value below `value`, itself included. */
function* walk(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  yield value as Record<string, unknown>
  for (const one of Object.values(value)) yield* walk(one)
}

test('the document is valid OpenAPI 3.1, and every reference in it leads somewhere', async () => {
  const validator = new Validator()
  expect(await validator.validate(structuredClone(document) as unknown as Record<string, unknown>)).toEqual({
    valid: true,
  })
  expect(validator.version).toBe('3.1')
  const broken = structuredClone(document)
  broken.paths['/healthz'] = { get: { summary: 'without answers' } as Operation }
  broken.paths['nowhere'] = {}
  expect((await new Validator().validate(broken as unknown as Record<string, unknown>)).valid).toBe(false)
  const refs = [...walk(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
  expect(refs.length).toBeGreaterThan(1000)
  for (const ref of new Set(refs)) {
    const [, part, group = '', name = ''] = ref.split('/')
    expect([ref, part, (document.components as Record<string, object>)[group]?.[name as never] !== undefined]).toEqual([
      ref,
      'components',
      true,
    ])
  }
})

test('every endpoint is described: parameters, body, answer, who may call', () => {
  const ids = operations.map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [name, endpoint] of ENDPOINTS) {
    const operation = operationOf(endpoint)
    expect([name, operation?.operationId, operation?.summary]).toEqual([name, name, endpoint.summary])
    const named = (place: string) => operation.parameters.filter((one) => one.in === place).map((one) => one.name)
    const fields = endpoint.query instanceof z.ZodObject ? Object.keys(endpoint.query.shape) : []
    expect([name, endpoint.query === undefined || endpoint.query instanceof z.ZodObject]).toEqual([name, true])
    expect([name, named('query')]).toEqual([name, fields])
    expect([name, named('path')]).toEqual([name, [...endpoint.path.matchAll(/:(\w+)/g)].map(([, one]) => one)])
    const kind = { form: 'multipart/form-data', bytes: 'application/offset+octet-stream' }
    const body = Object.keys(operation.requestBody?.content ?? {})
    const isSent = endpoint.method === 'PATCH' || (endpoint.method === 'POST' && endpoint.takes !== 'bytes')
    expect([name, body]).toEqual([name, isSent ? [endpoint.takes ? kind[endpoint.takes] : 'application/json'] : []])
    if (typeof endpoint.access !== 'string')
      for (const item of endpoint.access) expect(operation.description).toContain(item)
    const schemes = operation.security.flatMap((one) => Object.keys(one))
    expect([name, schemes.includes('accessToken')]).toEqual([
      name,
      endpoint.access !== 'public' && endpoint.tokens?.access !== false,
    ])
    expect([name, schemes.includes('displayToken')]).toEqual([name, endpoint.tokens?.display === true])
    for (const scheme of schemes) expect(Object.keys(document.components.securitySchemes)).toContain(scheme)
    const success = Object.keys(operation.responses).filter((status) => status.startsWith('2'))
    expect([name, success.length]).toEqual([name, 1])
  }
})

test('every error of an endpoint is listed under its status, with its number', () => {
  for (const [name, endpoint] of ENDPOINTS) {
    const { responses } = operationOf(endpoint)
    const common = endpoint.access === 'public' ? [] : (['session.signed_out', 'permission.missing'] as const)
    for (const key of [...(endpoint.errors ?? []), ...common, 'request.rate', 'server.internal'] as const) {
      const { status, code } = ERRORS[key]
      const answer = responses[status]
      const shared = answer?.$ref && document.components.responses[answer.$ref.split('/').at(-1) as string]
      expect([name, key, JSON.stringify(shared || answer).includes(`${code} ${key}`)]).toEqual([name, key, true])
    }
  }
})

test('the collector, the metrics and the document itself are in it', () => {
  for (const [path, method] of [
    ['/collect/v1/events', 'post'],
    ['/collect/v1/enrol', 'post'],
    ['/collect/v1/policy', 'get'],
    ['/metrics', 'get'],
    ['/api/openapi.json', 'get'],
  ] as const)
    expect([path, document.paths[path]?.[method]?.summary]).toEqual([path, expect.any(String)])
})

test('a schema that has a name is described once: no two schemas share a name', () => {
  const seen = new Set<z.ZodType>(SCHEMAS.values())
  expect(seen.size).toBeGreaterThan(50)
  const Inner = z.object({ at: z.number().default(0) })
  const schemas = makeJsonSchemas(new Map([['Inner', Inner]]))
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  expect(schemas.of(Inner, 'output')).toEqual(ref('Inner'))
  expect(schemas.of(z.object({ one: Inner }), 'input')).toMatchObject({ properties: { one: ref('InnerInput') } })
  expect(schemas.of(z.object({ one: Inner }), 'output')).toMatchObject({ properties: { one: ref('Inner') } })
  expect(schemas.components).toEqual({
    Inner: { type: 'object', properties: { at: { default: 0, type: 'number' } }, required: ['at'] },
    InnerInput: { type: 'object', properties: { at: { default: 0, type: 'number' } } },
  })
})
