import type { Language } from '#contracts/errors.ts'
import { DIMENSIONS, type Dimension, MEASURES, type Measure } from '#domain/query.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { zonedTime } from '../platform/tables/zoned-time.ts'

/** How an export writes keys: in the requester's language, as the screens do. Keys without a name stay as they are. */
export type ExportWords = {
  value(dimension: Dimension, key: string): string
  dimension(dimension: Dimension): string
  measure(measure: Measure): string
  /** A column that is neither dimension nor measure. */
  column(column: keyof typeof COLUMNS): string
  time(at: number | null): string
  yesNo(value: boolean): string
}

export type PlaceNames = (code: string, language: Language) => string | undefined

const COLUMNS = {
  id: { zh: '事件编号', en: 'Event id' },
  appId: { zh: '应用编号', en: 'Application id' },
  occurredAt: { zh: '发生时间', en: 'Occurred at' },
  receivedAt: { zh: '到达时间', en: 'Received at' },
  reportedAt: { zh: '首次上报时间', en: 'First reported at' },
  brand: { zh: '品牌', en: 'Brand' },
  sdk: { zh: 'SDK 版本', en: 'SDK version' },
  provinceCode: { zh: '省级代码', en: 'Province code' },
  cityCode: { zh: '城市代码', en: 'City code' },
  precision: { zh: '位置精度', en: 'Place precision' },
  longitude: { zh: '经度', en: 'Longitude' },
  latitude: { zh: '纬度', en: 'Latitude' },
  corrected: { zh: '时间已校正', en: 'Time corrected' },
  imported: { zh: '历史导入', en: 'Imported' },
  extra: { zh: '其他内容', en: 'Other content' },
  counterparts: { zh: '关联用户或设备数', en: 'Linked users or devices' },
  firstAt: { zh: '首次出现', en: 'First seen' },
  lastAt: { zh: '最近出现', en: 'Last seen' },
  verdict: { zh: '处置', en: 'Verdict' },
  seconds: { zh: '时长（秒）', en: 'Length (s)' },
  start: { zh: '时段开始', en: 'Start of the interval' },
  earlier: { zh: '（对比时段）', en: ' (compared span)' },
  others: { zh: '其他', en: 'Others' },
  noSite: { zh: '无站点', en: 'No site' },
  unknown: { zh: '未知', en: 'Unknown' },
  yes: { zh: '是', en: 'Yes' },
  no: { zh: '否', en: 'No' },
} as const

/** Reads the names of applications and sites once. */
export async function exportWords(
  meta: MetaStore,
  language: Language,
  zone: string,
  placeName: PlaceNames,
): Promise<ExportWords> {
  const [apps, sites] = await Promise.all([
    meta.db.selectFrom('applications').select(['id', 'name']).execute(),
    meta.db.selectFrom('sites').select(['id', 'name', 'name_en']).execute(),
  ])
  const named: Partial<Record<Dimension, Map<string, string>>> = {
    app: new Map(apps.map((app) => [String(app.id), app.name])),
    site: new Map(sites.map((site) => [String(site.id), (language === 'en' && site.name_en) || site.name])),
  }
  const countries = new Intl.DisplayNames(language === 'zh' ? 'zh-CN' : 'en', { type: 'region', fallback: 'none' })

  return {
    value(dimension, key) {
      if (key === '') return COLUMNS.unknown[language]
      if (dimension === 'site' && key === '0') return COLUMNS.noSite[language]
      const words: Record<string, { zh: string; en: string }> | null = DIMENSIONS[dimension].words
      if (words) return words[key]?.[language] ?? key
      if (dimension === 'country') return (/^[A-Z]{2}$/.test(key) && countries.of(key)) || key
      if (dimension === 'province' || dimension === 'city') return placeName(key, language) ?? key
      return named[dimension]?.get(key) ?? key
    },
    dimension: (dimension) => DIMENSIONS[dimension][language],
    measure: (measure) => MEASURES[measure][language],
    column: (column) => COLUMNS[column][language],
    time: (at) => zonedTime(at, zone),
    yesNo: (value) => COLUMNS[value ? 'yes' : 'no'][language],
  }
}
