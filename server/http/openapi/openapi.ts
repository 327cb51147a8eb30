import type { z } from 'zod'
import type { ErrorKey } from '#contracts/errors.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { ENDPOINTS, SCHEMAS } from '#contracts/http/index.ts'
import { COLLECTOR_SCHEMES, collectorPaths } from './collector-paths.ts'
import { type Json, makeJsonSchemas } from './json-schema.ts'
import { commonRefusals, refusalsOf } from './refusals.ts'
import { SECURITY_SCHEMES, securityOf } from './security.ts'

/** What any endpoint may refuse with, beside its own errors. */
const ALWAYS: readonly ErrorKey[] = [
  'envelope.malformed',
  'request.too_large',
  'request.rate',
  'server.internal',
  'server.starting',
]
const SIGNED_IN: readonly ErrorKey[] = [
  'session.signed_out',
  'permission.missing',
  'login.must_change',
  'licence.module',
]
const DESCRIPTION = `The interface of the AppWarden console and collector.

With an access token (\`Authorization: Bearer aw_at_…\`) every refusal has the HTTP status listed here. The console itself, which has a
session, gets HTTP 200 with a \`code\` other than 0 for what the product refuses, and the status for what the protocol refuses; its requests
carry a signature, and are sealed as \`encrypt_data\` where encrypted requests are switched on. Access tokens need neither.

Every refusal has \`code\` (a number), \`key\` (its name) and \`codemsg\` (text in the language of \`Accept-Language\`: zh or en). 429 and 503 come
with \`Retry-After\`. Times are milliseconds since 1970 (UTC) unless a field says otherwise. Answers may get further fields.`

/** OpenAPI 3.1 of every endpoint, made from the records that also mount them, and of the collector. */
export function openApi(version: string): Json {
  const schemas = makeJsonSchemas(SCHEMAS)
  const paths: Record<string, Json> = {}
  // By path, so that the document is the same however the modules were loaded.
  const endpoints = [...ENDPOINTS].toSorted(([, a], [, b]) => compare(`${a.path} ${a.method}`, `${b.path} ${b.method}`))
  // Answers first: of a schema that is both, the answer has the plain name.
  for (const [, { response }] of endpoints) schemas.of(response, 'output')
  for (const [name, endpoint] of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    ;(paths[path] as Json)[endpoint.method.toLowerCase()] = operation(name, endpoint, schemas.of)
  }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: { title: 'AppWarden', version, description: DESCRIPTION, license: { name: 'Proprietary' } },
    servers: [{ url: '/', description: 'This installation' }],
    tags: [...new Set(endpoints.map(([, one]) => tagOf(one))), 'collect'].map((tag) => ({ name: tag })),
    paths: { ...paths, ...ownPaths(), ...collectorPaths() },
    components: {
      securitySchemes: { ...SECURITY_SCHEMES, ...COLLECTOR_SCHEMES },
      responses: commonRefusals(),
      schemas: { Done: DONE, Refusal: REFUSAL, ...sorted(schemas.components) },
    },
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const sorted = (all: Record<string, Json>) =>
  Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => compare(a, b)))

const DONE: Json = {
  type: 'object',
  description: 'What every successful answer has',
  properties: { code: { const: 0 }, codemsg: { type: 'string' } },
  required: ['code', 'codemsg'],
}
const REFUSAL: Json = {
  type: 'object',
  properties: {
    code: { type: 'integer', description: 'Number of the error, never 0' },
    key: { type: 'string', description: 'Name of the error' },
    codemsg: { type: 'string', description: 'Text for people' },
    retry_after: { type: 'number', description: 'Seconds, where trying again makes sense' },
  },
  required: ['code', 'key', 'codemsg'],
}

function operation(
  name: string,
  endpoint: Endpoint,
  schemaOf: (one: z.ZodType, way: 'input' | 'output') => Json,
): Json {
  const { summary, access, query } = endpoint
  return {
    operationId: name,
    tags: [tagOf(endpoint)],
    summary,
    description: Array.isArray(access) ? `Permission: ${access.join(' or ')}` : `Access: ${access}`,
    security: securityOf(endpoint),
    parameters: [
      ...pathParameters(endpoint),
      ...queryParameters(query && schemaOf(query, 'input')),
      ...tusHeaders(endpoint),
    ],
    ...bodyOf(endpoint, schemaOf),
    responses: { ...successOf(endpoint, schemaOf), ...refusalsOf(errorsOf(endpoint)) },
  }
}

/** The first part of the path that says what it is about. */
function tagOf({ path }: Endpoint): string {
  const [first = '', second = ''] = path.split('/').filter(Boolean)
  return first === 'api' ? second : first
}

function pathParameters({ path }: Endpoint): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', maxLength: 200 },
  }))
}

function queryParameters(schema: Json | undefined): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([field, type]) => ({
    name: field,
    in: 'query',
    required: required.includes(field),
    schema: type,
  }))
}

/** Resumable uploads (tus 1.0). */
function tusHeaders({ method, takes }: Endpoint): Json[] {
  if (takes !== 'bytes') return []
  const number = { type: 'integer', minimum: 0 }
  return method === 'POST'
    ? [
        { name: 'Upload-Length', in: 'header', required: true, schema: number },
        {
          name: 'Upload-Metadata',
          in: 'header',
          required: true,
          description: '`filename` and the name in base64',
          schema: { type: 'string' },
        },
      ]
    : [{ name: 'Upload-Offset', in: 'header', required: true, schema: number }]
}

function bodyOf(endpoint: Endpoint, schemaOf: (one: z.ZodType, way: 'input') => Json): Json {
  const { method, takes, body } = endpoint
  if (takes === 'bytes')
    return method === 'PATCH'
      ? { requestBody: { required: true, content: { 'application/offset+octet-stream': { schema: {} } } } }
      : {}
  if (takes === 'form') {
    const fields = body ? schemaOf(body, 'input') : { type: 'object' }
    const file = {
      type: 'object',
      properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
    }
    return {
      requestBody: { required: true, content: { 'multipart/form-data': { schema: { allOf: [fields, file] } } } },
    }
  }
  if (method !== 'POST') return {}
  const schema = body ? schemaOf(body, 'input') : { type: 'object' }
  return { requestBody: { required: body !== undefined, content: { 'application/json': { schema } } } }
}

function successOf(endpoint: Endpoint, schemaOf: (one: z.ZodType, way: 'output') => Json): Json {
  const { method, takes, bare, response, navigation } = endpoint
  if (takes === 'bytes' || method === 'HEAD' || method === 'DELETE') {
    const offset = { 'Upload-Offset': { schema: { type: 'integer' } } }
    const length = { 'Upload-Length': { schema: { type: 'integer' } } }
    const headers = { POST: { Location: { schema: { type: 'string' } }, ...offset }, HEAD: { ...offset, ...length } }
    return {
      [{ POST: '201', HEAD: '200', PATCH: '204', DELETE: '204', GET: '200' }[method]]: {
        description: 'Success',
        headers: headers[method as keyof typeof headers] ?? (method === 'PATCH' ? offset : {}),
      },
    }
  }
  const schema = schemaOf(response, 'output')
  // A file: its kind depends on what is asked for.
  if (navigation && Object.keys(schema).length === 0)
    return { '200': { description: 'A file or a page', content: { '*/*': { schema: {} } } } }
  return {
    '200': {
      description: 'Success',
      content: {
        'application/json': { schema: bare ? schema : { allOf: [{ $ref: '#/components/schemas/Done' }, schema] } },
      },
    },
  }
}

/** All that a caller with a token may be refused with. */
function errorsOf({ access, query, body, takes, method, errors = [] }: Endpoint): ErrorKey[] {
  return [
    ...new Set<ErrorKey>([
      ...ALWAYS,
      ...(access === 'public' ? [] : SIGNED_IN),
      ...(query || body ? (['input.empty', 'input.invalid'] as const) : []),
      ...(method === 'POST' || takes ? (['request.media_type'] as const) : []),
      ...errors,
    ]),
  ]
}

/** What is served without an endpoint record. */
function ownPaths(): Record<string, Json> {
  return {
    '/api/openapi.json': {
      get: {
        operationId: 'openApi',
        tags: ['api'],
        summary: 'This document',
        security: [],
        responses: {
          '200': { description: 'OpenAPI 3.1', content: { 'application/json': { schema: { type: 'object' } } } },
        },
      },
    },
    '/metrics': {
      get: {
        operationId: 'metrics',
        tags: ['metrics'],
        summary: 'Prometheus metrics (text format 0.0.4): from this machine, or with an access token',
        description: 'Permission: metrics.read, or a connection of this machine without a proxy',
        security: [{}, { accessToken: [] }],
        responses: {
          '200': { description: 'Metrics', content: { 'text/plain': { schema: { type: 'string' } } } },
          ...refusalsOf(['session.signed_out', 'permission.missing', 'request.unknown_path']),
        },
      },
    },
  }
}
