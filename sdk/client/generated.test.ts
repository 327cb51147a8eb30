import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
// @ts-expect-error plain JavaScript: the scripts run before anything is built
import { clientSource } from '../../scripts/generate-client.mjs'

/** The parts of an OpenAPI document that the generator reads, with one operation. */
const document = (operation: object, path = '/api/things/{id}') => ({
  paths: { [path]: { post: { operationId: 'things', summary: 'Things', security: [], responses: {}, ...operation } } },
  components: { schemas: {}, responses: {} },
})

test('the generated client is that of the endpoints that the server mounts (`npm run client` writes it again)', async () => {
  // Loaded by its path: a client is not made of the server's code, the comparison alone is.
  const { openApi } = (await import(new URL('../../server/http/openapi/openapi.ts', import.meta.url).href)) as {
    openApi(version: string): object
  }
  expect(clientSource(openApi('')) === readFileSync(new URL('api.generated.ts', import.meta.url), 'utf8')).toBe(true)
})

test('an operation gets its input, answer and errors; what no token opens is left out', () => {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } })
  const source = clientSource(
    document({
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'kind', in: 'query', required: false, schema: { enum: ['a', 'b'] } },
      ],
      requestBody: { required: true, ...json({ type: 'object', properties: { n: { type: ['integer', 'null'] } } }) },
      responses: {
        '200': json({ type: 'array', items: { anyOf: [{ type: 'string' }, { const: 0 }] } }),
        '404': json({ allOf: [{}, { type: 'object', properties: { key: { enum: ['data.missing'] } } }] }),
      },
    }),
  )
  expect(source).toContain(
    'input: { params: { id: string }; query?: { kind?: ("a" | "b") }; body: { n?: (number | null) } }',
  )
  expect(source).toContain('answer: (string | 0)[]')
  expect(source).toContain('errors: "data.missing"')
  expect(source).toContain('things: ["POST","/api/things/{id}","json","json"]')
  expect(clientSource(document({ security: [{ session: [] }] }))).not.toContain('things')
})
