import type { IngestStatus } from '#realtime/collect/collector.ts'
import type { RelayStatus } from '#realtime/relay/relay.ts'
import type { StoreStatus } from '#storage/events/port.ts'

type Sample = { labels?: Record<string, string>; value: number }

/** Prometheus text (exposition format 0.0.4) of the collector, the relay and the stores. */
export function metricsText(now: {
  ingest: IngestStatus | undefined
  relay: RelayStatus | undefined
  store: StoreStatus & { known: boolean }
  journalBacklogBytes: number
}): string {
  const { ingest, relay, store } = now
  const lines: string[] = []
  const add = (name: string, type: 'counter' | 'gauge', help: string, samples: Sample[]) => {
    lines.push(`# HELP appwarden_${name} ${help}`, `# TYPE appwarden_${name} ${type}`)
    for (const { labels = {}, value } of samples) {
      const text = Object.entries(labels).map(([key, one]) => `${key}="${one.replace(/["\\\n]/g, '_')}"`)
      lines.push(`appwarden_${name}${text.length ? `{${text.join(',')}}` : ''} ${value}`)
    }
  }
  const by = (label: string, counts: Partial<Record<string, number>>): Sample[] =>
    Object.entries(counts).map(([key, value]) => ({ labels: { [label]: key }, value: value ?? 0 }))

  if (ingest) {
    add('events_accepted_total', 'counter', 'Events taken in.', [{ value: ingest.accepted }])
    add('events_pending_total', 'counter', 'Events left to the store to decide.', [{ value: ingest.pending }])
    add('events_duplicate_total', 'counter', 'Events seen before.', [{ value: ingest.duplicates }])
    add('events_imported_total', 'counter', 'History taken in.', [{ value: ingest.imported }])
    add('events_quarantined_total', 'counter', 'Events in quarantine.', by('reason', ingest.quarantined))
    add('events_rejected_total', 'counter', 'Events refused, by field.', by('field', ingest.rejected))
    add('batches_refused_total', 'counter', 'Requests refused, by error.', by('error', ingest.refused))
    add('events_per_second', 'gauge', 'Mean of the last five seconds.', [{ value: ingest.per_second }])
    add('dedup_entries', 'gauge', 'Event ids in memory.', [{ value: ingest.dedup.entries }])
    add('dedup_window_seconds', 'gauge', 'How far memory alone decides.', [{ value: ingest.dedup.window_seconds }])
  }
  if (relay) {
    add('live_clients', 'gauge', 'Open sockets.', [{ value: relay.clients }])
    add('live_topics', 'gauge', 'Aggregators.', [{ value: relay.topics }])
    add('live_frames_total', 'counter', 'Frames cut.', [{ value: relay.frames }])
    add('live_fell_behind_total', 'counter', 'Slow clients that got a snapshot.', [{ value: relay.fellBehind }])
  }
  add('store_up', 'gauge', 'Whether the event store answers.', [{ value: store.known ? 1 : 0 }])
  if (store.known) {
    add('store_rows', 'gauge', 'Rows in the event store.', [{ value: store.rows }])
    add('store_bytes', 'gauge', 'Size of the event store.', [{ value: store.bytes }])
    add('store_backlog_events', 'gauge', 'Durable, not yet stored.', [{ value: store.backlogEvents }])
    add('store_lag_seconds', 'gauge', 'Age of the oldest event not stored.', [{ value: store.lagSeconds }])
  }
  add('journal_backlog_bytes', 'gauge', 'Durable, not yet released.', [{ value: now.journalBacklogBytes }])
  add('process_resident_bytes', 'gauge', 'Memory of the collector process.', [{ value: process.memoryUsage.rss() }])
  return `${lines.join('\n')}\n`
}
