import type { ErrorKey } from '#contracts/errors.ts'
import { COLLECT_POLICY_PATH, POLICY_SIGNATURE_HEADER } from '#contracts/telemetry/policy.ts'
import {
  COLLECT_ENROL_PATH,
  COLLECT_EVENTS_PATH,
  COLLECT_LIMITS,
  ENROLLED_HEADERS,
  IMPORT_HEADER,
  type WireEvent,
} from '#contracts/telemetry/wire.ts'
import { ACTIONS, EVENT_TYPES, PLATFORMS, RISK_TYPES } from '#domain/vocabulary.ts'
import type { Json } from './json-schema.ts'
import { refusalsOf } from './refusals.ts'

/** Who may post events: a server, or a device that has enrolled; all headers of a device are needed together. */
export const COLLECTOR_SCHEMES: Record<string, Json> = {
  serverKey: { type: 'http', scheme: 'bearer', bearerFormat: 'aw_sk_…', description: 'A secret key of an application' },
  deviceInstall: { type: 'apiKey', in: 'header', name: ENROLLED_HEADERS.install },
  deviceSequence: { type: 'apiKey', in: 'header', name: ENROLLED_HEADERS.sequence },
  deviceTime: { type: 'apiKey', in: 'header', name: ENROLLED_HEADERS.tstamp },
  deviceSignature: {
    type: 'apiKey',
    in: 'header',
    name: ENROLLED_HEADERS.signature,
    description: '`2.<nonce>.<mac>`: HMAC-SHA-256 under the key that the device got when it enrolled',
  },
}
const SENDERS: Json[] = [
  { serverKey: [] },
  { deviceInstall: [], deviceSequence: [], deviceTime: [], deviceSignature: [] },
]

const text: Json = { type: 'string', maxLength: COLLECT_LIMITS.text }
const count: Json = { type: 'integer', minimum: 0 }
const time: Json = { oneOf: [{ type: 'integer' }, { type: 'string', format: 'date-time' }] }
const oneOf = (words: object): Json => ({ type: 'string', enum: Object.keys(words) })

/** contracts/telemetry/wire.ts explains the fields. */
const FIELDS: Record<keyof WireEvent, Json> = {
  event_id: { type: 'string', minLength: 1, maxLength: 64, description: 'Unique within the application' },
  type: oneOf(EVENT_TYPES),
  device_id: { type: 'string', minLength: 1, maxLength: 128, description: 'Stored as a keyed hash only' },
  occurred_at: time,
  reported_at: time,
  user_id: { ...text, description: 'Stored as a keyed hash only' },
  platform: oneOf(PLATFORMS),
  app_version: text,
  channel: text,
  os: text,
  model: text,
  brand: text,
  network: text,
  sdk_version: text,
  package_name: text,
  signer: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
  session_id: text,
  risk_type: { ...oneOf(RISK_TYPES), description: 'Required when `type` is risk' },
  action: oneOf(ACTIONS),
  client_ip: { type: 'string', description: 'Of servers: the address of their client' },
  place: {
    type: 'object',
    properties: {
      country: { type: 'string', description: 'ISO 3166-1 alpha-2' },
      province: text,
      city: text,
      longitude: { type: 'number', minimum: -180, maximum: 180 },
      latitude: { type: 'number', minimum: -90, maximum: 90 },
    },
  },
  consent: { type: 'object', properties: { location: { type: 'boolean' } } },
  detail: { type: 'object', description: 'At most 4 kB of JSON; of a crash, ANR or exception 16 kB' },
}
const EVENT: Json = { type: 'object', properties: FIELDS, required: ['event_id', 'type', 'device_id'] }
const EVENTS: Json = { type: 'array', items: EVENT, minItems: 1, maxItems: COLLECT_LIMITS.server.events }

const ALWAYS: readonly ErrorKey[] = [
  'envelope.malformed',
  'collect.key',
  'collect.signature',
  'collect.time',
  'collect.replay',
  'permission.missing',
  'request.rate',
  'server.internal',
  'server.starting',
  'server.query_timeout',
]

/** The collector: plain HTTP statuses for every caller. */
export function collectorPaths(): Record<string, Json> {
  const operation = (operationId: string, summary: string, more: Json): Json => ({
    operationId,
    tags: ['collect'],
    summary,
    ...more,
  })
  const events = operation('collectEvents', 'Send events; 202 once all that was accepted is on disk', {
    description: `Also as NDJSON, and compressed with gzip. At most ${COLLECT_LIMITS.server.events} events of a server, ${COLLECT_LIMITS.device.events} of a device. A batch may be sent again: what was accepted before is not counted twice.`,
    security: SENDERS,
    parameters: [
      {
        name: IMPORT_HEADER,
        in: 'header',
        required: false,
        description: 'A server key with the scope `import` posts history',
        schema: { enum: ['1'] },
      },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            oneOf: [EVENTS, { type: 'object', properties: { events: EVENTS }, required: ['events'] }],
          },
        },
        'application/x-ndjson': { schema: { type: 'string' } },
      },
    },
    responses: {
      '202': {
        description: 'Accepted',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                accepted: count,
                pending: count,
                duplicates: count,
                quarantined: count,
                rejected: {
                  type: 'array',
                  items: { type: 'object', properties: { index: count, error: { type: 'string' } } },
                },
                server_time: count,
              },
              required: ['accepted', 'pending', 'duplicates', 'quarantined', 'rejected', 'server_time'],
            },
          },
        },
      },
      ...refusalsOf([
        ...ALWAYS,
        'collect.unreadable',
        'collect.busy',
        'collect.disk',
        'collect.journal',
        'collect.slow',
        'request.too_large',
        'request.media_type',
      ]),
    },
  })
  const enrol = operation('collectEnrol', 'Enrol a device with the public key of its application', {
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              enrolment_key: { type: 'string', pattern: '^aw_ek_' },
              device_id: FIELDS.device_id,
              proof: {
                type: 'object',
                properties: { salt: { type: 'integer' }, nonce: { type: 'string' } },
                required: ['salt', 'nonce'],
              },
            },
            required: ['enrolment_key', 'device_id', 'proof'],
          },
        },
      },
    },
    responses: {
      '201': {
        description: 'Enrolled',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                install: { type: 'string' },
                device_key: { type: 'string', description: 'Base64url, 32 bytes' },
                policy_key: { type: 'string', description: 'Base64url, SPKI' },
                server_time: count,
              },
              required: ['install', 'device_key', 'policy_key', 'server_time'],
            },
          },
        },
      },
      ...refusalsOf([
        'collect.unreadable',
        'collect.key',
        'collect.proof',
        'request.rate',
        'request.media_type',
        'request.too_large',
        'server.starting',
        'server.internal',
      ]),
    },
  })
  const policy = operation('collectPolicy', 'The signed policy of a device', {
    security: SENDERS,
    parameters: [
      { name: 'version', in: 'query', required: false, description: 'Version of the app', schema: text },
      { name: 'device', in: 'query', required: false, description: 'With a server key: the device', schema: text },
      { name: 'If-None-Match', in: 'header', required: false, schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        description: 'The document',
        headers: {
          [POLICY_SIGNATURE_HEADER]: { description: 'ECDSA P-256, base64url', schema: { type: 'string' } },
          ETag: { schema: { type: 'string' } },
        },
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      '304': { description: 'The device has it already' },
      ...refusalsOf([...ALWAYS, 'collect.unreadable']),
    },
  })
  return {
    [COLLECT_EVENTS_PATH]: { post: events },
    [COLLECT_ENROL_PATH]: { post: enrol },
    [COLLECT_POLICY_PATH]: { get: policy },
  }
}
