import type { Language } from '#contracts/errors.ts'
import type { TemplateUse } from '#contracts/http/platform-info.ts'
import type { Settings } from '#contracts/http/settings.ts'
import { PRODUCTS } from '#contracts/product-names.ts'
import { fillIn, type PlaceholderValues } from '#domain/platform-text.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

/** What the platform is called: its own name, or that of the product in the language. */
export function platformName(
  { product, product_name }: Pick<Settings, 'product' | 'product_name'>,
  language: Language,
): string {
  return product_name || PRODUCTS[product][language]
}

/** The saved template file of a use with its placeholders filled in, or null without a file. */
export async function readOwnText(
  { db }: MetaStore,
  use: TemplateUse,
  values: Partial<PlaceholderValues> & Pick<PlaceholderValues, 'platform'>,
): Promise<string | null> {
  const row = await db.selectFrom('platform_files').select('content').where('use', '=', use).executeTakeFirst()
  return row ? fillIn(row.content, { subject: '', date: '', author: '', ...values }) : null
}
