import { describe, expect, test } from 'vitest'
import { zoneOffset } from './time-range.ts'
import { placeOfZone } from './zone-places.ts'

describe('the city of a time zone', () => {
  test('the zone of the product and its older names are Shanghai', () => {
    for (const zone of ['Asia/Shanghai', 'Asia/Chongqing', 'PRC'])
      expect(placeOfZone(zone)).toMatchObject({ zh: '上海', en: 'Shanghai' })
  })

  test('a zone without a city, and a word that is no zone, have none', () => {
    for (const zone of ['UTC', 'Etc/GMT+5', '', 'constructor', '__proto__']) expect(placeOfZone(zone)).toBeNull()
  })

  test('every city lies where its zone says: the sun is at most four hours from the clock', () => {
    const known = Intl.supportedValuesOf('timeZone').filter((zone) => placeOfZone(zone) !== null)
    expect(known.length).toBeGreaterThan(60)
    // In January no northern zone has summer time.
    const at = Date.UTC(2026, 0, 15)
    for (const zone of known) {
      const { longitude, latitude } = placeOfZone(zone) as { longitude: number; latitude: number }
      expect(Math.abs(longitude / 15 - zoneOffset(at, zone) / 3_600_000), zone).toBeLessThan(4)
      expect(Math.abs(latitude), zone).toBeLessThan(66)
    }
  })
})
