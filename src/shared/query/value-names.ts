import { useCallback } from 'react'
import { DIMENSIONS, type Dimension, type Filter } from '#domain/query.ts'
import { useLanguage, useTexts } from '../i18n/texts.ts'
import { placeName, usePlaces } from '../map/places.ts'
import { useApplications } from '../session/application-store.ts'
import { queryTexts } from './query-texts.ts'

export type NameOf = (field: Dimension, value: string) => string

/** Values of dimensions as people read them: words, application and place names, short hashes; '' reads as 'unknown'. */
export function useNameOf(): NameOf {
  const t = useTexts(queryTexts)
  const language = useLanguage()
  const places = usePlaces()
  const apps = useApplications((state) => state.list)
  return useCallback(
    (field, value) => {
      if (value === '') return field === 'country' ? t('noPlace') : field === 'user' ? t('noUser') : t('unknown')
      if (field === 'app') {
        const app = apps?.find((one) => one.id === value)
        if (!app) return `#${value}`
        const twins = apps?.filter((one) => one.name === app.name) ?? []
        return twins.length > 1 ? `${app.name} ${app.mime_type === 2 ? 'iOS' : 'Android'}` : app.name
      }
      if (field === 'country') return placeName(places, 'countries', value, language)
      if (field === 'province') return placeName(places, 'provinces', value, language)
      if (field === 'city') return placeName(places, 'cities', value, language)
      if (field === 'device' || field === 'user') return shortHash(field, value)
      const words: Readonly<Record<string, { zh: string; en: string }>> | null = DIMENSIONS[field].words
      return words?.[value]?.[language] ?? value
    },
    [t, language, places, apps],
  )
}

/** `d_4af0…7b21`: the kind, and enough of a keyed hash to tell it apart. */
export function shortHash(kind: 'device' | 'user', hash: string): string {
  return `${kind === 'device' ? 'd' : 'u'}_${hash.slice(0, 4)}…${hash.slice(-4)}`
}

/** Where an event came from, as narrow as is known: '广东 深圳', 'Shenzhen, Guangdong', the country abroad, or 'no place'. */
export function placeText(
  place: { country: string; province: string; city: string },
  nameOf: NameOf,
  language: 'zh' | 'en',
): string {
  const known = (code: string) => code !== '' && code !== '0'
  if (!known(place.province)) return nameOf('country', place.country)
  const province = nameOf('province', place.province)
  if (!known(place.city)) return province
  const city = nameOf('city', place.city)
  if (city === province) return province
  // 'Fuzhou (Fujian)' distinguishes two cities where the province does not follow.
  return language === 'zh' ? `${province} ${city}` : `${city.replace(` (${province})`, '')}, ${province}`
}

/** A filter in words: '平台：Android', 'Not Channel: internal'. At most two values are named. */
export function useFilterText(): (filter: Filter) => string {
  const t = useTexts(queryTexts)
  const nameOf = useNameOf()
  const language = useLanguage()
  return (filter) => {
    const shown = filter.values.slice(0, 2).map((value) => nameOf(filter.field, value))
    const joined = shown.join(language === 'zh' ? '、' : ', ')
    const values =
      filter.values.length > 2
        ? t('more', { values: joined, count: language === 'zh' ? filter.values.length : filter.values.length - 2 })
        : joined
    return t(filter.op, { field: DIMENSIONS[filter.field][language], values })
  }
}
