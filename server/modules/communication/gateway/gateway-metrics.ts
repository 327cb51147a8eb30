import { OUTCOMES_NOT_REFUSED, REFUSAL_REASONS } from '#domain/communication.ts'
import type { RunningGateway } from './start-gateway.ts'

/** Prometheus text (exposition format 0.0.4) of one gateway. */
export function gatewayMetrics(status: ReturnType<RunningGateway['status']>): string {
  const lines: string[] = []
  const add = (name: string, type: 'counter' | 'gauge', help: string, samples: [labels: string, value: number][]) => {
    lines.push(`# HELP appwarden_gateway_${name} ${help}`, `# TYPE appwarden_gateway_${name} ${type}`)
    for (const [labels, value] of samples) lines.push(`appwarden_gateway_${name}${labels} ${value}`)
  }
  const [accepted, handshakes, plain] = [status.messages, status.handshakes, status.plainPassed]
  const taken = [accepted, handshakes, plain]
  add(
    'requests_total',
    'counter',
    'Requests that were let through, by outcome.',
    OUTCOMES_NOT_REFUSED.map((outcome, at) => [`{outcome="${outcome}"}`, taken[at] ?? 0]),
  )
  add(
    'refused_total',
    'counter',
    'Requests refused, by reason.',
    Object.keys(REFUSAL_REASONS).map((reason) => [`{reason="${reason}"}`, status.refused[reason] ?? 0]),
  )
  add(
    'upstream_faults_total',
    'counter',
    'Opened requests that the server behind did not answer.',
    ['away', 'slow', 'too_large', 'busy'].map((fault) => [`{fault="${fault}"}`, status.upstreamFaults[fault] ?? 0]),
  )
  add('own_seconds_total', 'counter', 'Time that the gateway itself spent on accepted messages.', [
    ['', status.ownSeconds],
  ])
  add('in_flight', 'gauge', 'Requests that run.', [['', status.inFlight]])
  add('sessions_in_memory', 'gauge', 'Sessions in memory.', [['', status.sessionsInMemory]])
  add('body_bytes', 'gauge', 'Memory of bodies.', [['', status.bytesHeld]])
  if (status.events)
    add('events_total', 'counter', 'Events for the collector.', [
      ['{state="sent"}', status.events.sent],
      ['{state="dropped"}', status.events.dropped],
      ['{state="failed"}', status.events.failed],
    ])
  add('process_resident_bytes', 'gauge', 'Memory of the process.', [['', process.memoryUsage.rss()]])
  return `${lines.join('\n')}\n`
}
