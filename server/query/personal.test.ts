import { expect, test } from 'vitest'
import { mayReveal, redactRaw } from './personal.ts'

test('a wall never reveals, whatever its maker may', () => {
  expect(mayReveal({ kind: 'display', auth: ['personal.reveal'] })).toBe(false)
  expect(mayReveal({ kind: 'session', auth: ['events.read'] })).toBe(false)
  expect(mayReveal({ kind: 'session', auth: ['personal.reveal'] })).toBe(true)
})

test('the address in a raw event goes, even where the text was cut', () => {
  const raw = JSON.stringify({ event_id: 'a', client_ip: '203.0.113.77', detail: { client_ip: 'x"y' } })
  for (let cut = 0; cut <= raw.length; cut++) {
    const text = redactRaw(raw.slice(0, cut))
    expect(text).not.toMatch(/203\.|x\\"/)
  }
  expect(JSON.parse(redactRaw(raw))).toEqual({ event_id: 'a', client_ip: '***', detail: { client_ip: '***' } })
})
