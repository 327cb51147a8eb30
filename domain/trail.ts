import { z } from 'zod'
import type { EventRow, Filter } from './query.ts'

/** The attack trace: its subject, its stops, and what it is linked with. */

export const SUBJECT_KINDS = ['device', 'user', 'address'] as const
export type SubjectKind = (typeof SUBJECT_KINDS)[number]
/** Whose trace: a device or user by keyed hash, or an address as stored. */
export const SubjectSchema = z
  .strictObject({ kind: z.enum(SUBJECT_KINDS), key: z.string().min(1).max(64) })
  .refine(({ kind, key }) => (kind === 'address' ? /^[0-9a-fA-F:./]+$/ : /^[0-9a-f]{32}$/).test(key), 'not a subject')
export type Subject = { kind: SubjectKind; key: string }

/** `device:<hash>`, `user:<hash>`, `address:<text>`: as addresses and cases name a subject. */
export function subjectText({ kind, key }: Subject): string {
  return `${kind}:${key}`
}

/** Reads subjectText back; null for anything else. */
export function parseSubject(text: string | null): Subject | null {
  const match = /^(device|user|address):(.+)$/s.exec(text ?? '')
  const parsed = SubjectSchema.safeParse({ kind: match?.[1], key: match?.[2] })
  return parsed.success ? parsed.data : null
}

export function subjectFilter({ kind, key }: Subject): Filter {
  return { field: kind, op: 'is', values: [key] }
}

// ------------------------------------------------------------------------------------------------------------- the rule

/** Movement faster than this is marked as impossible. */
export const IMPOSSIBLE_KMH = 1000
/**
 * How far the real place may lie from the point of a place known to this precision. Both ends' radii are taken off the distance before
 * a movement is judged; a place known to its country alone is not judged.
 */
export const PRECISION_KM = { city: 60, province: 400 } as const
/** Shorter gaps count as this long: device clocks are corrected to about that. */
export const SHORTEST_GAP_MS = 60_000
/** Same events of one kind this far apart are two lines of the trail, with the pause between them named. */
export const PAUSE_MS = 2 * 3_600_000
/** A trail is folded from at most so many events, the newest ones. */
export const TRAIL_EVENTS = 2000

const EARTH_KM = 6371
const RADIANS = Math.PI / 180

/** Great-circle distance in km. */
export function distanceKm(a: { lon: number; lat: number }, b: { lon: number; lat: number }): number {
  const [p, q] = [a.lat * RADIANS, b.lat * RADIANS]
  const h = Math.sin((q - p) / 2) ** 2 + Math.cos(p) * Math.cos(q) * Math.sin(((b.lon - a.lon) * RADIANS) / 2) ** 2
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)))
}

// ---------------------------------------------------------------------------------------------------------------- trail

export type TrailPlace = Pick<
  EventRow,
  'country' | 'province' | 'city' | 'lon' | 'lat' | 'placeSource' | 'placePrecision'
>

/** Consecutive events of one kind at one stop: of one type, risk and application, and of one device where the subject is no device. */
export type TrailStep = {
  type: string
  risk: string
  level: string
  app: string
  device: string
  from: number
  to: number
  count: number
  blocked: number
  /** Id of the first event. */
  first: string
  /** Time without events before it, where that is longer than PAUSE_MS; else 0. */
  pause: number
}

/** How the subject came here from the stop before. */
export type TrailMove = {
  km: number
  /** Between the last event there and the first one here. */
  ms: number
  /** Over at least SHORTEST_GAP_MS. */
  kmh: number
  /** False where a place is known to its country alone, or not at all. */
  judged: boolean
  /** Faster than IMPOSSIBLE_KMH even from the nearest points that both precisions allow. */
  impossible: boolean
}

/** Consecutive events at one place. */
export type TrailStop = {
  /** From 1 on, the same in trail, map, table and time strip. */
  number: number
  place: TrailPlace
  from: number
  to: number
  events: number
  attacks: number
  /** Networks that the events came from, most frequent first, at most three. */
  networks: string[]
  networkCount: number
  /** Null at the first one. */
  move: TrailMove | null
  steps: TrailStep[]
}

export type Trail = {
  /** All that the query counts; `shown` of them, the newest, are folded into stops. */
  events: number
  attacks: number
  starts: number
  devices: number
  users: number
  apps: number
  shown: number
  /** Facts of the newest event. */
  newest: Pick<EventRow, 'brand' | 'model' | 'os' | 'platform' | 'app' | 'version' | 'device' | 'user'> | null
  stops: TrailStop[]
  /** Sum of the distances between stops. */
  km: number
}

// ---------------------------------------------------------------------------------------------------------------- links

export const LINK_KINDS = ['device', 'user', 'address', 'build'] as const
export type LinkKind = (typeof LINK_KINDS)[number]
/** Beyond so many devices an address is taken for a shared exit (carrier NAT, office) and not followed by itself. */
export const SHARED_DEVICES = 20
/** Neighbours of the subject by kind: at first, and at most. */
export const LINK_LIMITS = { first: 5, most: 20 } as const
/** Nodes that may be expanded at once, neighbours of an expanded one, and all nodes of a graph. */
export const EXPAND_LIMITS = { nodes: 6, neighbours: 10, graph: 120 } as const

/** A build as the key of its node: application, version and SHA-256 of the signing certificate ('' where unknown). */
export function buildKey(app: string, version: string, signer: string): string {
  return `${app}|${signer}|${version}`
}

export function parseBuildKey(key: string): { app: string; version: string; signer: string } | null {
  const match = /^(\d{1,9})\|([0-9a-f]{0,128})\|(.{0,256})$/s.exec(key)
  return match && { app: match[1] as string, signer: match[2] as string, version: match[3] as string }
}

export const LinkRefSchema = z.strictObject({ kind: z.enum(LINK_KINDS), key: z.string().min(1).max(400) })
export type LinkRef = { kind: LinkKind; key: string }
export const linkId = ({ kind, key }: LinkRef): string => `${kind}:${key}`

export type LinkNode = LinkRef & {
  /** 0 the subject, 1 what its events name, 2 what is linked through those. */
  hop: 0 | 1 | 2
  /** Events that tie it to the subject (hop 1) or to the node it was found through (hop 2). */
  events: number
  firstAt: number
  lastAt: number
  /** Distinct devices seen with it in the range; of devices 1. */
  devices: number
  /** Shared by more than SHARED_DEVICES devices, or a whole network after retention: followed only when asked for. */
  shared: boolean
}
export type LinkEdge = { from: string; to: string; events: number }
export type Links = {
  nodes: LinkNode[]
  edges: LinkEdge[]
  /** How many neighbours the subject has by kind, shown or not. */
  totals: Record<LinkKind, number>
}
/** What the store is asked for. */
export type LinksAsk = { subject: Subject; limit: number; expand: readonly LinkRef[] }
