import { DIMENSIONS } from '#domain/query.ts'
import { cityByCode, provinceByCode } from '#engines/geo/place-table.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { NameOfKey } from './alert-message.ts'

/** How values read in messages that leave the house: words of the vocabulary, names of applications, sites and places. */
export async function readKeyNames(meta: MetaStore): Promise<NameOfKey> {
  const [apps, sites] = await Promise.all([
    meta.db.selectFrom('applications').select(['id', 'name']).execute(),
    meta.db.selectFrom('sites').select(['id', 'name', 'name_en']).execute(),
  ])
  const appNames = new Map(apps.map(({ id, name }) => [String(id), name]))
  const siteNames = new Map(sites.map((site) => [String(site.id), site]))
  return (field, key, language) => {
    if (field === 'app') return appNames.get(key) ?? `#${key}`
    if (field === 'province') return provinceByCode(Number(key))?.[language] ?? key
    if (field === 'city') return cityByCode(Number(key))?.[language] ?? key
    if (field === 'site') {
      const site = siteNames.get(key)
      return (language === 'en' && site?.name_en) || (site?.name ?? key)
    }
    const words: Readonly<Record<string, { zh: string; en: string }>> | null = DIMENSIONS[field].words
    return words?.[key]?.[language] ?? key
  }
}
