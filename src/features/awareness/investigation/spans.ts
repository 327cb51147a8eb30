import type { Language } from '#src/shared/i18n/texts.ts'
import { type NameOf, placeText } from '#src/shared/query/value-names.ts'

const UNITS = {
  zh: { day: '天', hour: '小时', minute: '分', second: '秒' },
  en: { day: ' d', hour: ' h', minute: ' min', second: ' s' },
} as const

/** How long, in its two largest units: `2天12小时`, `9小时04分`, `22分13秒`; below a second as `0秒`. */
export function spanText(ms: number, language: Language): string {
  const unit = UNITS[language]
  const seconds = Math.max(0, Math.round(ms / 1000))
  const [d, h, m, s] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ]
  const two = (value: number) => String(value).padStart(2, '0')
  const join = language === 'zh' ? '' : ' '
  if (d) return h ? `${d}${unit.day}${join}${h}${unit.hour}` : `${d}${unit.day}`
  if (h) return m ? `${h}${unit.hour}${join}${two(m)}${unit.minute}` : `${h}${unit.hour}`
  if (m) return s ? `${m}${unit.minute}${join}${two(s)}${unit.second}` : `${m}${unit.minute}`
  return `${s}${unit.second}`
}

/** Kilometres and speeds to three digits: what is known of places is no better than that. */
export function roughly(value: number): string {
  const digits = Math.floor(Math.log10(Math.max(1, value)))
  const step = digits > 2 ? 10 ** (digits - 2) : 1
  return (Math.round(value / step) * step).toLocaleString('en-US')
}

/** The narrowest name of a place alone: the city, else the province, else the country. */
export function shortPlace(
  place: { country: string; province: string; city: string },
  nameOf: NameOf,
  language: Language,
): string {
  const known = (code: string) => code !== '' && code !== '0'
  if (known(place.city)) return nameOf('city', place.city)
  return known(place.province) ? nameOf('province', place.province) : placeText(place, nameOf, language)
}
