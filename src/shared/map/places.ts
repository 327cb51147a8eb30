import { useEffect, useState } from 'react'
import type { Language } from '../i18n/texts.ts'
import type { LonLat } from './mercator.ts'

/** Names and label points of countries, provinces and cities (public/geo/places.json, made by scripts/place-data.mjs). */
export type Place = { code: string; zh: string; en: string; point: LonLat; province?: string }
export type Places = {
  countries: ReadonlyMap<string, Place>
  provinces: ReadonlyMap<string, Place>
  cities: ReadonlyMap<string, Place>
}
type Rows = {
  countries: [code: string, zh: string, en: string, lon: number, lat: number][]
  provinces: [code: number, zh: string, full: string, en: string, lon: number, lat: number][]
  cities: [code: number, zh: string, full: string, en: string, lon: number, lat: number, province: number][]
}

let places: Promise<Places> | undefined
let loaded: Places | undefined

export function loadPlaces(): Promise<Places> {
  places ??= fetch('/geo/places.json')
    .then(async (response) => {
      if (!response.ok) throw new Error(`places.json: ${response.status}`)
      loaded = readPlaces((await response.json()) as Rows)
      return loaded
    })
    .catch((error: unknown) => {
      places = undefined
      throw error
    })
  return places
}

export function readPlaces(rows: Rows): Places {
  const country = ([code, zh, en, lon, lat]: Rows['countries'][number]): Place => ({ code, zh, en, point: [lon, lat] })
  return {
    countries: mapOf(rows.countries.map(country)),
    provinces: mapOf(
      rows.provinces.map(([code, zh, , en, lon, lat]) => ({ code: String(code), zh, en, point: [lon, lat] })),
    ),
    cities: mapOf(
      rows.cities.map(([code, zh, , en, lon, lat, province]) => ({
        code: String(code),
        zh,
        en,
        point: [lon, lat],
        province: String(province),
      })),
    ),
  }
}

const mapOf = (list: Place[]): ReadonlyMap<string, Place> => new Map(list.map((one) => [one.code, one]))

/** Null until loaded: callers show codes meanwhile. */
export function usePlaces(): Places | null {
  const [state, setState] = useState<Places | null>(loaded ?? null)
  useEffect(() => {
    let current = true
    loadPlaces().then(
      (all) => current && setState(all),
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [])
  return state
}

export function placeName(places: Places | null, kind: keyof Places, code: string, language: Language): string {
  return places?.[kind].get(code)?.[language] ?? code
}
