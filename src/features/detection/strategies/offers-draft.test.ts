import { describe, expect, test } from 'vitest'
import type { Offer } from '#contracts/http/detection/tasks.ts'
import { openTypes, ordered, switched, withLine, withoutLine } from './offers-draft.ts'

const APK: Offer = { package_kind: 'apk', application_type: null, kinds: ['static', 'sdk'] }
const IPA: Offer = { package_kind: 'ipa', application_type: null, kinds: ['static'] }

describe('the table of kinds while it is edited', () => {
  test('[DET-01] a switch changes one kind of one line', () => {
    const [apk, ipa] = switched([APK, IPA], APK, 'sdk')
    expect(apk?.kinds).toEqual(['static'])
    expect(ipa).toBe(IPA)
    expect(switched([APK, IPA], IPA, 'compliance')[1]?.kinds).toEqual(['static', 'compliance'])
  })

  test('[DET-01] a custom line starts as a copy of its package kind, is listed below it and can be removed', () => {
    const table = withLine([APK, IPA], APK, 'online_payment')
    expect(table.map((one) => `${one.package_kind} ${one.application_type}`)).toEqual([
      'apk null',
      'apk online_payment',
      'ipa null',
    ])
    expect(table[1]?.kinds).toEqual(APK.kinds)
    expect(openTypes(table, APK)).not.toContain('online_payment')
    expect(openTypes(table, IPA)).toContain('online_payment')
    expect(withoutLine(table, table[1] as Offer)).toEqual([APK, IPA])
  })

  test('[DET-01] a special line goes below the general one, wherever the server named it', () => {
    const special: Offer = { package_kind: 'apk', application_type: 'online_payment', kinds: [] }
    expect(ordered([special, APK, IPA]).map((one) => one.application_type)).toEqual([null, 'online_payment', null])
  })
})
