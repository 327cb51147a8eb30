import { expect, test } from 'vitest'
import { EVENT_TYPES, PLATFORMS } from '#domain/vocabulary.ts'
import { groupOf } from './event-group.ts'

const of = (type: keyof typeof EVENT_TYPES, platform: keyof typeof PLATFORMS, detail: unknown) =>
  groupOf(EVENT_TYPES[type].code, PLATFORMS[platform].code, detail, 1, '1.0', undefined)

test('[WEB-01] risks reported by a web page are grouped by the kind of detector, as web events are', () => {
  expect(of('risk', 'web', { kind: 'webdriver', page: '/pay' })).toBe('webdriver')
  expect(of('web', 'android', { kind: 'csp' })).toBe('csp')
  expect(of('risk', 'android', { kind: 'frida' })).toBe('')
  expect(of('start', 'web', { kind: 'x' })).toBe('')
})

test('[WEB-01] a kind is a short word; anything else has no group', () => {
  for (const detail of [undefined, null, {}, { kind: 7 }, { kind: '' }, { kind: 'a b' }, { kind: 'k'.repeat(33) }, []])
    expect([detail, of('risk', 'web', detail)]).toEqual([detail, ''])
  expect(of('exception', 'web', { reason: 'TypeError' })).toMatch(/^[0-9a-f]{16}$/)
})
