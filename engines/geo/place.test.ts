import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NO_PLACE, placeOfDeclared, placeOfNames } from './place.ts'
import { cityByCode, countryByIso, findCity, findProvince, provinceByCode } from './place-table.ts'
import table from './places.generated.json' with { type: 'json' }

describe('[OBS-01] places by name', () => {
  test.each([
    ['北京', '北京市', 110000, 110000],
    ['北京市', '', 110000, 110000],
    ['江苏省', '南京市', 320000, 320100],
    ['江苏', '苏州市', 320000, 320500],
    ['安徽省', '宿州市', 340000, 341300],
    ['内蒙古', '锡林郭勒', 150000, 152500],
    ['广西', '南宁市', 450000, 450100],
    ['新疆', '伊犁', 650000, 654000],
    ['西藏', '阿里地区', 540000, 542500],
    ['吉林省', '延边', 220000, 222400],
    ['湖北省', '襄阳', 420000, 420600],
    ['湖北省', '恩施', 420000, 422800],
    ['青海省', '海南', 630000, 632500],
    ['河南省', '济源', 410000, 419001],
    ['山东省', '莱芜市', 370000, 370100],
    ['台湾省', '台北', 710000, 710009],
    ['台湾省', '嘉义县', 710000, 710006],
    ['台湾省', '', 710000, 0],
    ['香港', '', 810000, 810000],
    ['香港', '荃湾', 810000, 810000],
    ['澳门', '', 820000, 820000],
    ['台湾省', '金门县', 350000, 350500],
    ['', '', 0, 0],
  ])('the names 中国 %s %s give the expected codes', (province, city, provinceCode, cityCode) => {
    const place = placeOfNames({ country: '中国', province, city })
    expect([place.country, place.province, place.city]).toEqual(['CN', provinceCode, cityCode])
    expect(place.precision).toBe(cityCode ? 3 : provinceCode ? 2 : 1)
    expect(place.lon).not.toBeNull()
  })

  test('country names map to ISO codes; regions that are not countries map to no place', () => {
    expect(placeOfNames({ country: '美国', province: '', city: '' })).toMatchObject({
      country: 'US',
      precision: 1,
      source: 2,
    })
    expect(placeOfNames({ country: '科特迪瓦', province: '', city: '' }).country).toBe('CI')
    for (const country of ['', '欧洲', '亚太地区', '__proto__', 'constructor'])
      expect(placeOfNames({ country, province: '', city: '' })).toBe(NO_PLACE)
  })

  test('Taiwan, Hong Kong and Macau are provinces of CN, not countries', () => {
    for (const iso of ['TW', 'HK', 'MO']) expect(countryByIso(iso)).toBeUndefined()
    expect(placeOfDeclared({ country: 'TW' })).toMatchObject({
      country: 'CN',
      province: 710000,
      city: 0,
      source: 1,
      precision: 2,
    })
    expect(placeOfDeclared({ country: 'hk' })).toMatchObject({ country: 'CN', province: 810000, city: 810000 })
    expect(placeOfDeclared({ country: 'MO', province: 'Macao' })).toMatchObject({ country: 'CN', province: 820000 })
    expect(placeOfDeclared({ country: 'TW', city: 'Taipei' })).toMatchObject({ province: 710000, city: 710009 })
    expect(placeOfDeclared({ country: 'TW', province: '福建' })).toBe('place.province is not TW')
  })
})

describe('[OBS-01] declared places', () => {
  test('code, Chinese and English names give the same place', () => {
    const expected = placeOfDeclared({ country: 'CN', province: '440000', city: '440300' })
    expect(expected).toMatchObject({ province: 440000, city: 440300, precision: 3, source: 1 })
    for (const [province, city] of [
      ['广东', '深圳'],
      ['广东省', '深圳市'],
      ['Guangdong', 'Shenzhen'],
      ['guangdong', 'SHENZHEN'],
      ['', '深圳'],
    ])
      expect(placeOfDeclared({ province, city })).toEqual(expected)
    expect(placeOfDeclared({ country: 'CN', province: 'Zhejiang', city: 'Taizhou' })).toMatchObject({ city: 331000 })
  })

  test('declared coordinates are kept, (0, 0) is ignored', () => {
    expect(placeOfDeclared({ country: 'CN', province: '广东', longitude: 114.06, latitude: 22.54 })).toMatchObject({
      lon: 114.06,
      lat: 22.54,
      precision: 2,
    })
    expect(placeOfDeclared({ country: 'US', longitude: 0, latitude: 0 })).toMatchObject({
      lon: countryByIso('US')?.lon,
    })
    expect(placeOfDeclared({})).toBe(NO_PLACE)
    expect(placeOfDeclared({ longitude: 0, latitude: 0 })).toBe(NO_PLACE)
  })

  test.each([
    ['JP', 123.47, 25.74, 710000, 0],
    ['IN', 91.87, 27.58, 540000, 540500],
    ['IN', 79.5, 35.2, 650000, 653200],
    ['IN', 93.6, 27.1, 540000, 540500],
    ['US', 121.56, 25.04, 710000, 710009],
    ['GB', 114.17, 22.3, 810000, 810000],
  ])('%s declared at %d, %d is in China as the map draws it', (country, longitude, latitude, province, city) => {
    const place = placeOfDeclared({ country, longitude, latitude })
    expect(place).toMatchObject({ country: 'CN', province, lon: longitude, lat: latitude, source: 1 })
    if (city > 0) expect(place).toMatchObject({ city, precision: 3 })
  })

  test.each([
    ['JP', 124.16, 24.34],
    ['IN', 91.74, 26.14],
    ['IN', 77.58, 34.16],
    ['BT', 89.64, 27.47],
    ['VN', 105.85, 21.03],
    ['KP', 124.4, 40.08],
    ['RU', 127.55, 50.3],
    ['JP', 123.0, 24.45],
    ['US', -122.4, 37.8],
  ])('%s declared at %d, %d, outside of China, is kept', (country, longitude, latitude) => {
    expect(placeOfDeclared({ country, longitude, latitude })).toMatchObject({ country, province: 0, lon: longitude })
  })

  test('points along a border that the map draws belong to exactly one side', () => {
    // From south to north across the eastern sector, and from west to east across Aksai Chin.
    const countryAt = (longitude: number, latitude: number) =>
      (placeOfDeclared({ country: 'IN', longitude, latitude }) as { country: string }).country
    const north = Array.from({ length: 60 }, (_, n) => countryAt(93.6, 25.5 + n * 0.05))
    const east = Array.from({ length: 60 }, (_, n) => countryAt(76 + n * 0.08, 35.2))
    for (const line of [north, east]) {
      const first = line.indexOf('CN')
      expect(first).toBeGreaterThan(5)
      expect(new Set(line.slice(first))).toEqual(new Set(['CN']))
      expect(new Set(line.slice(0, first))).toEqual(new Set(['IN']))
    }
  })

  test.each([
    [{ country: 'XX' }, 'place.country is no ISO 3166-1 alpha-2 code: XX'],
    [{ province: '火星' }, 'place.province is unknown: 火星'],
    [{ province: '广东', city: '南京' }, 'place.city is unknown: 南京'],
    [{ country: 'CN', longitude: 181, latitude: 1 }, 'place.longitude must lie in -180 to 180'],
    [{ country: 'CN', longitude: 1, latitude: Number.NaN }, 'place.latitude must lie in -90 to 90'],
    [{ country: 'CN', longitude: 1 }, 'place.longitude and place.latitude belong together'],
    [{ longitude: 100, latitude: 30 }, 'place with coordinates needs place.country'],
  ])('the declared place %j is refused with a message', (declared, message) => {
    expect(placeOfDeclared(declared)).toBe(message)
  })

  test('any text is a place or a message, never an exception nor a point without a country', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (country, province, city) => {
        const place = placeOfDeclared({ country, province, city })
        if (typeof place !== 'string') expect(place.lon === null).toBe(place.country === '')
      }),
    )
  })
})

describe('[OBS-01] the table', () => {
  test('every unit is found by its names and its code', () => {
    expect([table.countries.length, table.provinces.length, table.cities.length]).toEqual([246, 34, 391])
    for (const [code, zh, full, en] of table.provinces as [number, string, string, string][])
      for (const name of [String(code), zh, full, en]) expect(findProvince(name)?.code).toBe(code)
    for (const row of table.cities as [number, string, string, string, number, number, number][]) {
      const [code, , full, en, , , province] = row
      expect(provinceByCode(province)).toBeDefined()
      for (const name of [String(code), full, en]) expect(findCity(name, province)?.code).toBe(code)
      expect(cityByCode(code)?.province).toBe(province)
    }
  })

  test('points are finite, and those of China are near China', () => {
    for (const row of table.cities as [number, string, string, string, number, number, number][]) {
      expect(row[4] > 73 && row[4] < 136).toBe(true)
      expect(row[5] > 3 && row[5] < 54).toBe(true)
    }
    for (const [, , , lon, lat] of table.countries as [string, string, string, number, number][])
      expect(Math.abs(lon) <= 180 && Math.abs(lat) <= 90).toBe(true)
  })
})
