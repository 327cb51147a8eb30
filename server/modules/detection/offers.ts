import { type ApplicationType, type DetectionKind, runsOnPhone } from '#contracts/detection/kinds.ts'
import { PACKAGE_KINDS, type PackageKind } from '#contracts/detection/scan-result.ts'
import { type Offer, saveDetectionOffers } from '#contracts/http/detection/tasks.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

const KEY = 'detection.offers'

/** Decision 33: libraries and iOS packages get static and compliance. */
const DEFAULTS: Record<PackageKind, readonly DetectionKind[]> = {
  apk: ['vulnerability', 'static', 'dynamic', 'compliance', 'sdk', 'privacy', 'content'],
  apks: ['vulnerability', 'static', 'compliance', 'sdk', 'privacy', 'content'],
  aab: ['vulnerability', 'static', 'compliance', 'sdk', 'privacy', 'content'],
  ipa: ['static', 'compliance'],
  aar: ['static', 'compliance'],
  jar: ['static', 'compliance'],
  so: ['static', 'compliance'],
}

/** The table in force: a line for each package kind, and what an administrator changed. */
export async function readOffers(meta: MetaStore): Promise<Offer[]> {
  const row = await meta.db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  const kept = saveDetectionOffers.body?.safeParse(row?.value)
  const own = kept?.success ? kept.data.data : []
  const general = new Set(own.filter((one) => one.application_type === null).map((one) => one.package_kind))
  const defaults = PACKAGE_KINDS.filter((kind) => !general.has(kind)).map((kind) => ({
    package_kind: kind,
    application_type: null,
    kinds: [...DEFAULTS[kind]],
  }))
  return [...defaults, ...own].sort((a, b) => lineOf(a).localeCompare(lineOf(b)))
}

const lineOf = (offer: Offer): string => `${PACKAGE_KINDS.indexOf(offer.package_kind)} ${offer.application_type ?? ''}`

/** Keeps the last line of those that name the same. */
export async function writeOffers(meta: MetaStore, offers: readonly Offer[]): Promise<void> {
  const data = [...new Map(offers.map((offer) => [lineOf(offer), offer])).values()]
  const value = JSON.stringify({ data })
  await meta.db
    .insertInto('settings')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** What the table offers; the line of the application type goes before that of the package kind alone. */
export function offeredKinds(
  offers: readonly Offer[],
  kind: PackageKind,
  type: ApplicationType | null,
): readonly DetectionKind[] {
  const lines = offers.filter((one) => one.package_kind === kind)
  const special = type === null ? undefined : lines.find((one) => one.application_type === type)
  const kinds = (special ?? lines.find((one) => one.application_type === null))?.kinds ?? []
  // No table makes a phone install what it cannot.
  return runsOnPhone(kind) ? kinds : kinds.filter((one) => one !== 'dynamic')
}
