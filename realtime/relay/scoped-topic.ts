import { createHash } from 'node:crypto'
import type { Topic } from '#contracts/live/messages.ts'
import { canonicalFilters } from '#domain/query.ts'
import type { LiveSubject } from '#storage/postgres/schema.ts'
import type { ScopedTopic } from '../frames/aggregator.ts'

/**
 * What a subject gets when it asks for a topic: the canonical query with the subject's scope. Equal topics of subjects with equal
 * scope share one identifier, and so one aggregator; a client can neither widen its scope nor guess its way into another's topic.
 */
export function scopedTopic(topic: Topic, subject: LiveSubject): ScopedTopic {
  const filters = canonicalFilters(topic.filters)
  const { apps } = subject.scope
  const scope = { apps: apps === 'all' ? apps : [...new Set(apps)].sort((x, y) => x - y) }
  const personal = topic.kind === 'stream' && subject.personal
  const wall = subject.kind === 'display' ? subject.id : undefined
  const canonical = JSON.stringify([topic.kind, filters, scope.apps, personal, ...(wall ? [wall] : [])])
  const id = createHash('sha256').update(canonical).digest('base64url').slice(0, 16)
  return { kind: topic.kind, filters, scope, personal, wall, id }
}
