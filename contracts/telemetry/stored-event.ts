/**
 * An accepted event as the journal, the frame builder and the event store hold it: words as codes (vocabulary.ts), device and user
 * as keyed hashes (32 hex digits), the place already looked up. Times are epoch milliseconds.
 */
export type StoredEvent = {
  /** Canonical lower-case UUID: the sender's own, or made from the sender's text id (event-id.ts). Unique within the application. */
  id: string
  /** Number of the application: applications.id. */
  app: number
  type: number
  /** 0 unless type is risk. */
  risk: number
  /** 0 unless type is risk. */
  level: number
  action: number
  platform: number
  /** Device time corrected by the measured clock offset. */
  occurredAt: number
  receivedAt: number
  /** The sender's time of first sending, kept on retries; null where the sender gives none. */
  reportedAt: number | null
  device: string
  user: string | null
  version: string
  channel: string
  os: string
  model: string
  brand: string
  network: string
  sdk: string
  /** ISO 3166-1 alpha-2, '' where unknown. */
  country: string
  /** Six-digit administrative code ending in 0000, 0 where unknown. */
  province: number
  /** Six-digit code of the city-level unit as the map has it (its own province's where that has no cities), 0 where unknown. */
  city: number
  placeSource: number
  placePrecision: number
  lon: number | null
  lat: number | null
  /** sites.id where the application's arcs end, 0 for none. */
  site: number
  /** Bits of EVENT_FLAGS. */
  flags: number
  /** Sender's or declared client address in full; truncated by retention after 30 days. */
  address: string
  /** JSON text of what is modelled but not a column: raw text id, package_name, signer, session_id, detail. '' for nothing. */
  extra: string
  /** Fingerprint of the stack of a crash, ANR or exception (16 hex digits), kind of a web event; '' for none. */
  group: string
}

export const EVENT_FLAGS = {
  /** occurred_at was moved: clock offset, or more than 5 min ahead. */
  corrected: 1,
  /** History posted with an import key: no arc, feed line, rate or alert. */
  imported: 2,
  /** Not decided by the dedup memory: the flusher looks it up in the store and journals its pending decision (decision 16). */
  pending: 4,
  /** Sent with a server key, not by an enrolled device. */
  trusted: 8,
} as const

/**
 * A stored event as an array: half the bytes and twice the parsing speed of the object. The journal on disk uses the order of toTuple and
 * fromTuple: append only.
 */
export type EventTuple = (string | number | null)[]

export function toTuple(e: StoredEvent): EventTuple {
  return [
    e.id,
    e.app,
    e.type,
    e.risk,
    e.level,
    e.action,
    e.platform,
    e.occurredAt,
    e.receivedAt,
    e.reportedAt,
    e.device,
    e.user,
    e.version,
    e.channel,
    e.os,
    e.model,
    e.brand,
    e.network,
    e.sdk,
    e.country,
    e.province,
    e.city,
    e.placeSource,
    e.placePrecision,
    e.lon,
    e.lat,
    e.site,
    e.flags,
    e.address,
    e.extra,
    e.group,
  ]
}

export function fromTuple(t: EventTuple): StoredEvent {
  // Written out: an object of one shape is made and read several times faster than one filled by name.
  return {
    id: t[0] ?? null,
    app: t[1] ?? null,
    type: t[2] ?? null,
    risk: t[3] ?? null,
    level: t[4] ?? null,
    action: t[5] ?? null,
    platform: t[6] ?? null,
    occurredAt: t[7] ?? null,
    receivedAt: t[8] ?? null,
    reportedAt: t[9] ?? null,
    device: t[10] ?? null,
    user: t[11] ?? null,
    version: t[12] ?? null,
    channel: t[13] ?? null,
    os: t[14] ?? null,
    model: t[15] ?? null,
    brand: t[16] ?? null,
    network: t[17] ?? null,
    sdk: t[18] ?? null,
    country: t[19] ?? null,
    province: t[20] ?? null,
    city: t[21] ?? null,
    placeSource: t[22] ?? null,
    placePrecision: t[23] ?? null,
    lon: t[24] ?? null,
    lat: t[25] ?? null,
    site: t[26] ?? null,
    flags: t[27] ?? null,
    address: t[28] ?? null,
    extra: t[29] ?? null,
    // Entries that were written before there were groups have none.
    group: t[30] ?? '',
  } as StoredEvent
}

/** An event that was accepted but not counted, with the reason; operators read and count these. */
export type QuarantinedEvent = {
  receivedAt: number
  app: number
  reason: QuarantineReason
  /** The sender's event id as sent, '' if it had none. */
  eventId: string
  /** Canonical id and reported_at, by which dedup recognizes a replay after a restart. */
  id?: string
  reportedAt?: number | null
  device: string
  /** What was wrong, in one line of plain text. */
  note: string
  /** The event as sent, device and user as keyed hashes, cut at 2,000 characters. */
  raw: string
}
export const QUARANTINE_REASONS = {
  too_old: { zh: '发生时间早于到达 7 天以上', en: 'Occurred more than 7 days before it arrived' },
  id_conflict: { zh: '同一事件编号以不同首发时间再次出现', en: 'Same event id with another first sending time' },
  outside_retention: { zh: '导入时间超出留存期', en: 'Imported time lies outside the retention' },
  implausible: { zh: '字段组合不可信', en: 'Fields contradict each other' },
} as const
export type QuarantineReason = keyof typeof QUARANTINE_REASONS

/** One payload of a journal entry (JSON). */
export type JournalBatch = {
  kind: 'batch'
  /** Arrival, epoch ms; never less than in the batches before, also where the clock was set back. */
  at: number
  /** Low priority: history that an import key sends; the flusher may delay it behind live entries. */
  import?: true
  events: EventTuple[]
  quarantined?: QuarantinedEvent[]
}
/** The flusher's decision on the pending events of the batch at `position`: indexes into its `events`. */
export type JournalPendingDecisions = {
  kind: 'verdicts'
  at: number
  position: number
  accepted: number[]
  duplicates: number[]
  quarantined: { index: number; reason: QuarantineReason }[]
}
export type JournalEntry = JournalBatch | JournalPendingDecisions
