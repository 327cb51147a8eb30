import { createHash } from 'node:crypto'
import { z } from 'zod'
import { platformLogo } from '#contracts/http/platform-info.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

const KEY = 'platform.logo'
const LogoSchema = z.object({ png: z.base64(), version: z.string() })

/** The platform's own logo as PNG, with a version that changes with it; null where it has none. */
export async function readLogo({ db }: MetaStore): Promise<{ png: Buffer; version: string } | null> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  const kept = LogoSchema.safeParse(row?.value)
  return kept.success ? { png: Buffer.from(kept.data.png, 'base64'), version: kept.data.version } : null
}

/** null takes it away. */
export async function writeLogo({ db }: Pick<MetaStore, 'db'>, png: Buffer | null): Promise<void> {
  if (png === null) {
    await db.deleteFrom('settings').where('key', '=', KEY).execute()
    return
  }
  const version = createHash('sha256').update(png).digest('hex').slice(0, 16)
  const value = JSON.stringify({ png: png.toString('base64'), version })
  await db
    .insertInto('settings')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Address of the logo for a browser, or null without a logo. */
export async function logoAddress({ db }: MetaStore): Promise<string | null> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  const kept = LogoSchema.safeParse(row?.value)
  return kept.success ? `${platformLogo.path}?v=${kept.data.version}` : null
}
