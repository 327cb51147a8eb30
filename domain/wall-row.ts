import type { Dimension, EventRow } from './query.ts'

/**
 * An event as a wall with a display token shows it: time, level, kind, place and application, and the id and site that its arc is
 * drawn with. Everything that describes the device, the user or the request is removed.
 */
export function wallRow(row: EventRow): EventRow {
  return {
    ...row,
    device: '',
    user: '',
    version: '',
    channel: '',
    os: '',
    model: '',
    brand: '',
    network: '',
    sdk: '',
    address: '',
    group: '',
    platform: '',
    reportedAt: null,
    extra: {},
  }
}

/** Filters that single out a device, a user or a network: refused to a display token. */
export const IDENTIFYING_FIELDS: ReadonlySet<Dimension> = new Set(['device', 'user', 'address'])
