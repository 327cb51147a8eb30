import { expect, test } from 'vitest'
import type { Application } from '#contracts/http/applications.ts'
import type { Deployment } from '#contracts/http/policies.ts'
import type { Job } from '#contracts/jobs.ts'
import type { Alert } from '#domain/alerts.ts'
import { toDoList } from './to-do.ts'

const NOW = Date.UTC(2026, 10, 21, 8)
const DAY = 86_400_000
const alert = (id: string, severity: Alert['severity'], at: number): Alert => ({
  id,
  severity,
  rule: { id: 'r', name: `rule ${id}` },
  state: 'firing',
  measure: 'attacks',
  task: null,
  by: null,
  key: '',
  filters: [],
  window_ms: 60_000,
  condition: { kind: 'threshold', op: 'at_least', value: 100 },
  value: 168,
  expected: 100,
  usual: null,
  peak: 168,
  total: 276,
  from: at,
  to: at,
  raised_at: at,
  resolved_at: null,
  acknowledged: null,
  silenced: false,
  late: false,
  version: 1,
})
const job = (id: string, state: Job['state'], ended: number): Job => ({
  id,
  state,
  kind: 'export',
  title: id,
  progress: null,
  note: 'disk full',
  rows: 0,
  bytes: 0,
  created_at: ended,
  started_at: ended,
  ended_at: ended,
  download: null,
})
const deployment = (state: Deployment['state'], whats: readonly string[]): Deployment => ({
  id: state,
  policy: 'p',
  version: 2,
  app_versions: [],
  percent: 10,
  state,
  guarded: true,
  covered: false,
  created_at: NOW,
  created_by: '',
  changed_at: NOW,
  before: 1,
  changes: whats.map((what) => ({ at: NOW, by: '', what, percent: 10, reading: null })),
})
const application = (id: string) => ({ id, name: `app ${id}` }) as Application
const words = {
  quietWhy: (n: number) => `was ${n}`,
  never: 'never',
  expires: (name: string, days: number) => `${name} ${days}`,
  expiresWhy: '',
  stopped: (name: string, version: number) => `${name} v${version}`,
  stoppedWhy: (percent: number) => `at ${percent} %`,
}
const context = { now: NOW, language: 'zh' as const, nameOf: (_: string, value: string) => value, words }
const nothing = { alerts: [], jobs: [], dismissed: [], applications: [], reported: undefined, policies: [], tokens: [] }

test('[HOME-01] the most urgent entry comes first, each with one action', () => {
  const list = toDoList(
    {
      alerts: [alert('low', 'low', NOW - 1), alert('old', 'critical', NOW - DAY), alert('new', 'critical', NOW - 2)],
      jobs: [job('export', 'failed', NOW - 3), job('fine', 'done', NOW - 3), job('long ago', 'failed', NOW - 4 * DAY)],
      dismissed: [],
      applications: [application('1'), application('2'), application('3')],
      reported: {
        kind: 'top',
        groups: [
          { key: '1', row: { events: 9 } },
          { key: '2', row: { events: 0 }, previous: { events: 40 } },
        ],
        groupCount: 2,
        others: {},
      },
      policies: [
        {
          id: 'p',
          name: 'Production',
          live: [deployment('paused', ['deploy', 'stopped', 'guard']), deployment('running', ['stopped', 'resume'])],
        },
      ],
      tokens: [
        { id: 't', name: 'ci', expires_at: NOW + 12 * DAY, revoked_at: null },
        { id: 'u', name: 'far', expires_at: NOW + 90 * DAY, revoked_at: null },
        { id: 'v', name: 'gone', expires_at: NOW + DAY, revoked_at: NOW },
      ],
    },
    context,
  )
  expect(list.map(({ id, verb, why }) => [id, verb, why])).toEqual([
    ['alert new', 'acknowledge', '近 1 分钟 攻击次数 168，阈值 100'],
    ['alert old', 'acknowledge', '近 1 分钟 攻击次数 168，阈值 100'],
    ['stopped paused', 'review', 'at 10 %'],
    ['job export', 'dismiss', 'disk full'],
    ['token t', 'renew', ''],
    ['quiet 2', 'connect', 'was 40'],
    ['quiet 3', 'connect', 'never'],
    ['alert low', 'acknowledge', '近 1 分钟 攻击次数 168，阈值 100'],
  ])
})

test('nothing is made up: without answers there is nothing to do, and what was noted is gone', () => {
  expect(toDoList(nothing, context)).toEqual([])
  expect(toDoList({ ...nothing, applications: [application('1')] }, context)).toEqual([])
  expect(toDoList({ ...nothing, jobs: [job('x', 'failed', NOW)], dismissed: ['x'] }, context)).toEqual([])
})
