import { expect, test } from 'vitest'
import { type LogOutput, saveLogOutput } from '#contracts/http/audit-log.ts'
import { bodyOfOutput, formOfOutput, isPort } from './output-form.ts'
import { outputState, outputsState } from './output-state.ts'

const output: LogOutput = {
  id: '1',
  kind: 'syslog',
  name: 'SIEM',
  target: '[2001:db8::1]:6514',
  has_ca: true,
  enabled: true,
  position: 5,
  waiting: 0,
  last_sent_at: null,
  error: '',
  next_at: null,
}

test('[LOG-01] an output that is edited and saved unchanged keeps its target and its certificate authority', () => {
  const form = formOfOutput(output)
  expect(bodyOfOutput(form, '1')).toEqual({
    kind: 'syslog',
    id: '1',
    name: 'SIEM',
    enabled: true,
    history: false,
    host: '2001:db8::1',
    port: 6514,
  })
  expect(bodyOfOutput({ ...form, dropCa: true }, '1')).toMatchObject({ ca: '' })
})

test('[LOG-01] a form is saved only when the server takes it', () => {
  const empty = formOfOutput(null)
  expect(bodyOfOutput(empty, undefined)).toBeNull()
  expect(bodyOfOutput({ ...empty, name: 'a', host: 'logs', port: '0' }, undefined)).toBeNull()
  expect(bodyOfOutput({ ...empty, kind: 'webhook', name: 'a', url: 'logs' }, undefined)).toBeNull()
  const bodies = [
    bodyOfOutput({ ...empty, name: ' a ', host: 'logs.example' }, undefined),
    bodyOfOutput({ ...empty, kind: 'webhook', name: 'a', url: 'https://a.example/x' }, undefined),
  ]
  for (const body of bodies) expect(saveLogOutput.body?.safeParse(body).success).toBe(true)
  expect(['1', '65535', '65536', '6514x', ''].map(isPort)).toEqual([true, true, false, false, false])
})

test('[LOG-01] an output is off, failing, behind or up to date', () => {
  const states = [
    { ...output, enabled: false, error: 'x' },
    { ...output, error: 'x', waiting: 3 },
    { ...output, waiting: 2 },
    output,
  ]
  expect(states.map(outputState)).toEqual(['off', 'failed', 'waiting', 'sent'])
  expect(outputsState(states)).toEqual({ failed: 1, waiting: 2, sent: 1 })
})
