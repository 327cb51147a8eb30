import { EVENT_FLAGS, type EventTuple, type QuarantineReason } from '#contracts/telemetry/stored-event.ts'
import { COLLECT_LIMITS, type WireEvent } from '#contracts/telemetry/wire.ts'
import { ACTIONS, EVENT_TYPES, LEVELS, PLATFORMS, RISK_TYPES } from '#domain/vocabulary.ts'
import { type DeclaredPlace, NO_PLACE, type Place, placeOfDeclared } from '#engines/geo/place.ts'
import { detailField, textField, timeField, wordField } from './event-fields.ts'
import { groupOf, isFailure } from './event-group.ts'
import { EventProblem } from './event-problem.ts'
import type { KnownDevices } from './known-devices.ts'

/** What is true for all events of a batch. */
export type BatchContext = {
  app: number
  /** sites.id or 0. */
  site: number
  /** Epoch ms. */
  arrival: number
  /** Newest time that the server's clock has shown: later than `arrival` where it was set back, epoch ms. */
  newest: number
  /** isPlain of the body. */
  plain: boolean
  /** Under a server key: may declare the client's address and place. */
  trusted: boolean
  /** Import of history: received_at = occurred_at. */
  importing: boolean
  /** Oldest occurrence that history may have, epoch ms. */
  retainedFrom: number
  /** Added to the device's times; 0 if its clock is right or unknown. */
  clockOffset: number
  /** The sender's address. */
  address: string
  /** The device that enrolled, as a keyed hash; '' under a server key. */
  enrolledDevice: string
  hash(text: string): string
  devices: KnownDevices
  validAddress(text: string): boolean
}

/** An event that is accepted but not counted. */
export type Quarantined = {
  id: string
  reportedAt: number | null
  device: string
  reason: QuarantineReason
  note: string
}

const TYPES = codes(EVENT_TYPES)
const RISKS = codes(RISK_TYPES)
const ACTION_CODES = codes(ACTIONS)
const PLATFORM_CODES = codes(PLATFORMS)
/** Level code by risk code, from the default rules. */
const LEVEL_OF_RISK: readonly number[] = Object.values(RISK_TYPES).reduce<number[]>((levels, risk) => {
  levels[risk.code] = LEVELS[risk.level].code
  return levels
}, [])
type WireFields = { readonly [name in keyof WireEvent]: unknown }
const FIELDS: Record<keyof WireEvent, true> = {
  event_id: true,
  type: true,
  device_id: true,
  occurred_at: true,
  reported_at: true,
  user_id: true,
  platform: true,
  app_version: true,
  channel: true,
  os: true,
  model: true,
  brand: true,
  network: true,
  sdk_version: true,
  package_name: true,
  signer: true,
  session_id: true,
  risk_type: true,
  action: true,
  client_ip: true,
  place: true,
  consent: true,
  detail: true,
}
const SIGNER = /^[0-9a-fA-F]{64}$/
const OFFSET_AT_LEAST_MS = 2000

/** The clock offset that a device's tstamp (Unix seconds) shows; differences that a slow network explains count as 0. */
export function clockOffsetOf(tstampSeconds: number, arrival: number): number {
  const offset = arrival - tstampSeconds * 1000
  return Math.abs(offset) > OFFSET_AT_LEAST_MS ? offset : 0
}

/**
 * One wire event as a stored tuple (pending flag not yet set), or why it goes to quarantine. `id`: what canonicalId made of its
 * event_id; `into`: what the tuple is written into, so that one serves a whole batch. Throws EventProblem for one that is rejected.
 * Nothing of the sender's object is kept by reference.
 */
export function readEvent(
  value: unknown,
  id: string | undefined,
  batch: BatchContext,
  into: EventTuple = [],
): EventTuple | Quarantined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new EventProblem('event', 'must be an object')
  const event = value as WireFields
  const { client_ip, place: placed, consent } = event
  checkNames(event)
  const { plain } = batch
  if (id === undefined) throw new EventProblem('event_id', 'must be a UUID or 1 to 64 of A-Z a-z 0-9 . _ : -')
  const type = wordField('type', event.type, TYPES, 0)
  if (type === 0) throw new EventProblem('type', 'is required')
  const deviceText = textField('device_id', event.device_id, plain, 128)
  if (deviceText === '') throw new EventProblem('device_id', 'is required')
  const risk = wordField('risk_type', event.risk_type, RISKS, 0)
  if (type === EVENT_TYPES.risk.code && risk === 0) throw new EventProblem('risk_type', 'is required when type is risk')
  const action = wordField('action', event.action, ACTION_CODES, 0)
  const platform = wordField('platform', event.platform, PLATFORM_CODES, 0)
  const { arrival, newest } = batch
  const reportedAt = timeField('reported_at', event.reported_at)
  // Stamps that senders took from this server's clock before it was set back stay good: they are repeated with every retry.
  if (reportedAt !== null && reportedAt > newest + COLLECT_LIMITS.aheadMs)
    throw new EventProblem('reported_at', "lies more than 5 minutes ahead of the server's time")
  const declaredAt = timeField('occurred_at', event.occurred_at)
  if (declaredAt === null && batch.importing) throw new EventProblem('occurred_at', 'is required for history')
  let occurredAt = declaredAt === null ? arrival : declaredAt + batch.clockOffset
  let flags = (batch.trusted ? EVENT_FLAGS.trusted : 0) | (batch.importing ? EVENT_FLAGS.imported : 0)
  if (declaredAt !== null && batch.clockOffset !== 0) flags |= EVENT_FLAGS.corrected
  if (occurredAt > arrival + COLLECT_LIMITS.aheadMs) {
    occurredAt = arrival
    flags |= EVENT_FLAGS.corrected
  }
  const userText = textField('user_id', event.user_id, plain)
  const version = textField('app_version', event.app_version, plain)
  const channel = textField('channel', event.channel, plain)
  const os = textField('os', event.os, plain)
  const model = textField('model', event.model, plain)
  const brand = textField('brand', event.brand, plain)
  const network = textField('network', event.network, plain)
  const sdk = textField('sdk_version', event.sdk_version, plain)
  const known = batch.devices.find(deviceText)
  const address = addressOf(client_ip, known.address, batch)
  const extra = extraOf(event, id, plain, type)
  const device = known.hash
  const place = declaredPlace(placed, consent, batch.trusted) ?? batch.devices.place(known, address)

  if (type !== EVENT_TYPES.risk.code && risk !== 0)
    return quarantined(id, reportedAt, device, 'implausible', 'risk_type is given, but type is not risk')
  if (batch.enrolledDevice !== '' && device !== batch.enrolledDevice)
    return quarantined(id, reportedAt, device, 'implausible', 'device_id is not the one that enrolled')
  if (batch.importing) {
    if (occurredAt < batch.retainedFrom)
      return quarantined(
        id,
        reportedAt,
        device,
        'outside_retention',
        `occurred ${new Date(occurredAt).toISOString()}, kept from ${new Date(batch.retainedFrom).toISOString()} on`,
      )
  } else if (occurredAt < arrival - COLLECT_LIMITS.maxAgeMs)
    return quarantined(
      id,
      reportedAt,
      device,
      'too_old',
      `occurred ${new Date(occurredAt).toISOString()}, arrived ${new Date(arrival).toISOString()}`,
    )

  // The order of contracts/telemetry/stored-event.ts (a test compares it with fromTuple).
  into[0] = id
  into[1] = batch.app
  into[2] = type
  into[3] = risk
  into[4] = risk === 0 ? 0 : (LEVEL_OF_RISK[risk] as number)
  into[5] = action
  into[6] = platform
  into[7] = occurredAt
  into[8] = batch.importing ? Math.min(occurredAt, arrival) : arrival
  into[9] = reportedAt
  into[10] = device
  into[11] = userText === '' ? null : batch.devices.user(known, userText)
  into[12] = version
  into[13] = channel
  into[14] = os
  into[15] = model
  into[16] = brand
  into[17] = network
  into[18] = sdk
  into[19] = place.country
  into[20] = place.province
  into[21] = place.city
  into[22] = place.source
  into[23] = place.precision
  into[24] = place.lon
  into[25] = place.lat
  into[26] = batch.site
  into[27] = flags
  into[28] = address
  into[29] = extra
  into[30] = groupOf(type, platform, event.detail, batch.app, version, event.package_name)
  return into
}

/** Throws for a name that is neither part of the format nor prefixed x_. Counting the known names is the cheap usual case. */
function checkNames(event: WireFields): void {
  let unknown = 0
  for (const _name in event) unknown++
  if (event.event_id !== undefined) unknown--
  if (event.type !== undefined) unknown--
  if (event.device_id !== undefined) unknown--
  if (event.occurred_at !== undefined) unknown--
  if (event.reported_at !== undefined) unknown--
  if (event.user_id !== undefined) unknown--
  if (event.platform !== undefined) unknown--
  if (event.app_version !== undefined) unknown--
  if (event.channel !== undefined) unknown--
  if (event.os !== undefined) unknown--
  if (event.model !== undefined) unknown--
  if (event.brand !== undefined) unknown--
  if (event.network !== undefined) unknown--
  if (event.sdk_version !== undefined) unknown--
  if (event.package_name !== undefined) unknown--
  if (event.signer !== undefined) unknown--
  if (event.session_id !== undefined) unknown--
  if (event.risk_type !== undefined) unknown--
  if (event.action !== undefined) unknown--
  if (event.client_ip !== undefined) unknown--
  if (event.place !== undefined) unknown--
  if (event.consent !== undefined) unknown--
  if (event.detail !== undefined) unknown--
  if (unknown === 0) return
  for (const name in event)
    if (!Object.hasOwn(FIELDS, name) && !name.startsWith('x_'))
      throw new EventProblem('event', `has an unknown field: ${name.slice(0, 40)}`)
}

function quarantined(
  id: string,
  reportedAt: number | null,
  device: string,
  reason: QuarantineReason,
  note: string,
): Quarantined {
  return { id, reportedAt, device, reason, note }
}

/** `checked`: an address that was found valid before, or ''. */
function addressOf(declared: unknown, checked: string, batch: BatchContext): string {
  if (!batch.trusted || declared === undefined || declared === null) return batch.address
  if (declared === checked && checked !== '') return checked
  if (typeof declared !== 'string' || !batch.validAddress(declared))
    throw new EventProblem('client_ip', 'must be an IPv4 or IPv6 address')
  return declared
}

/** The place the event declares, where it may and does. */
function declaredPlace(declared: unknown, consent: unknown, trusted: boolean): Place | undefined {
  const consented = readConsent(consent)
  if (declared === undefined || declared === null) return undefined
  const place = readPlace(declared)
  return (trusted || consented) && place !== NO_PLACE ? place : undefined
}

function readPlace(value: unknown): Place {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new EventProblem('place', 'must be an object')
  const declared: DeclaredPlace = {}
  for (const [key, part] of Object.entries(value)) {
    if (part === null) continue
    if (key === 'country' || key === 'province' || key === 'city')
      declared[key] = textField(`place.${key}`, part, false, 64)
    else if (key === 'longitude' || key === 'latitude') {
      if (typeof part !== 'number') throw new EventProblem('place', `.${key} must be a number`)
      declared[key] = part
    } else throw new EventProblem('place', `has an unknown field: ${key.slice(0, 40)}`)
  }
  const place = placeOfDeclared(declared)
  if (typeof place === 'string') throw new EventProblem('place', place.replace(/^place/, '').trim())
  return place
}

function readConsent(value: unknown): boolean {
  if (value === undefined || value === null) return false
  const { location = false, ...rest } = Object(value) as { location?: unknown }
  if (typeof value !== 'object' || typeof location !== 'boolean' || Object.keys(rest).length > 0)
    throw new EventProblem('consent', 'must be an object with location: true or false')
  return location
}

/** JSON text of what is modelled but not a column; '' for nothing. */
function extraOf(event: WireFields, id: string, plain: boolean, type: number): string {
  const sentId = event.event_id as string
  const sameApp = event.package_name === lastApp.packageName && event.signer === lastApp.signer
  let text = sameApp ? lastApp.text : appText(event.package_name, event.signer)
  const session = textField('session_id', event.session_id, plain)
  const detail = detailField(
    event.detail,
    isFailure(type) ? COLLECT_LIMITS.failureDetailBytes : COLLECT_LIMITS.detailBytes,
  )
  if (session !== '') text += `${text === '' ? '{' : ','}"session_id":${quoted(session, plain)}`
  if (detail !== '') text += `${text === '' ? '{' : ','}"detail":${detail}`
  if (id !== sentId && id !== sentId.toLowerCase()) text += `${text === '' ? '{' : ','}"id":"${sentId}"`
  return text === '' ? '' : `${text}}`
}

/** Package and signer as the beginning of a JSON object. Nearly all events of a batch have the same ones. */
function appText(packageName: unknown, signer: unknown): string {
  const name = textField('package_name', packageName)
  const digits = signerField(signer)
  const text = JSON.stringify({ ...(name && { package_name: name }), ...(digits && { signer: digits }) }).slice(0, -1)
  lastApp = { packageName, signer, text: text === '{' ? '' : text }
  return lastApp.text
}
let lastApp: { packageName: unknown; signer: unknown; text: string } = {
  packageName: undefined,
  signer: undefined,
  text: '',
}

/** In lower case; '' where absent. */
function signerField(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  if (typeof value !== 'string' || !SIGNER.test(value))
    throw new EventProblem('signer', 'must be 64 hexadecimal digits')
  return value.toLowerCase()
}

/** A text without control characters as JSON. */
function quoted(text: string, plain: boolean): string {
  return !plain && (text.includes('"') || text.includes('\\')) ? JSON.stringify(text) : `"${text}"`
}

function codes(words: Record<string, { code: number }>): ReadonlyMap<string, number> {
  return new Map(Object.entries(words).map(([word, { code }]) => [word, code]))
}
