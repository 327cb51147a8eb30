import { expect, test } from 'vitest'
import type { Offer } from '#contracts/http/detection/tasks.ts'
import { offeredKinds } from './offers.ts'

test('[DET-01] the line of an application type goes first; no table offers a phone what it cannot install', () => {
  const offers: Offer[] = [
    { package_kind: 'apk', application_type: null, kinds: ['static', 'dynamic'] },
    { package_kind: 'apk', application_type: 'online_payment', kinds: ['privacy'] },
    { package_kind: 'apks', application_type: null, kinds: ['static', 'dynamic'] },
  ]
  expect(offeredKinds(offers, 'apk', null)).toEqual(['static', 'dynamic'])
  expect(offeredKinds(offers, 'apk', 'online_payment')).toEqual(['privacy'])
  expect(offeredKinds(offers, 'apks', null)).toEqual(['static'])
  expect(offeredKinds(offers, 'so', null)).toEqual([])
})
