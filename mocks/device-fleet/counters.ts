/** What became of the fleet's events, by the collector's answers. */
export type Counters = {
  sent: number
  accepted: number
  pending: number
  duplicates: number
  quarantined: number
  rejected: number
  /** Refused whole (400, 401, 413 …): given up. */
  refused: number
  /** Thrown away by phones whose store was full. */
  lost: number
  retries: number
}

export function makeCounters(): Counters {
  return {
    sent: 0,
    accepted: 0,
    pending: 0,
    duplicates: 0,
    quarantined: 0,
    rejected: 0,
    refused: 0,
    lost: 0,
    retries: 0,
  }
}

/** Adds what an answer of 202 says. */
export function countAnswer(counters: Counters, json: Record<string, unknown>): void {
  for (const name of ['accepted', 'pending', 'duplicates', 'quarantined'] as const)
    counters[name] += typeof json[name] === 'number' ? json[name] : 0
  counters.rejected += Array.isArray(json['rejected']) ? json['rejected'].length : 0
}
