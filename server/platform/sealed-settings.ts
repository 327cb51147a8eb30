import { X509Certificate } from 'node:crypto'
import type { z } from 'zod'
import { ProductError } from '#contracts/errors.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { openText, sealText } from './secrets.ts'

export type SealedSettingsDeps = { meta: MetaStore; secret(name: string): Buffer }

/**
 * A row of the settings table one text of which is secret. `key`: of the row. `seal`: name of the key that encrypts the text.
 * Settings that a later version no longer takes are read as `defaults`.
 */
export function sealedSettings<Settings extends object>(
  key: string,
  seal: string,
  schema: z.ZodType<Settings>,
  defaults: Settings,
) {
  return {
    /** `text` is empty where none was stored. */
    async read({ meta, secret }: SealedSettingsDeps): Promise<{ settings: Settings; text: string }> {
      const row = await meta.db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
      const { sealed, ...stored } = (row?.value ?? {}) as Record<string, unknown>
      const text = typeof sealed === 'string' && sealed !== '' ? openText(secret(seal), sealed) : ''
      const parsed = schema.safeParse({ ...defaults, ...stored })
      return { settings: parsed.success ? parsed.data : defaults, text }
    },
    async write({ meta, secret }: SealedSettingsDeps, settings: Settings, text: string): Promise<void> {
      const value = JSON.stringify({ ...settings, sealed: text === '' ? '' : sealText(secret(seal), text) })
      await meta.db
        .insertInto('settings')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute()
    },
  }
}

/** PEM certificates that can be read, or nothing. */
export function areCertificates(pem: string): boolean {
  if (pem === '') return true
  const found = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)
  try {
    return found?.every((one) => new X509Certificate(one)) ?? false
  } catch {
    // What cannot be read is refused with the name of the field.
    return false
  }
}

export function invalidSetting(field: string): ProductError {
  return new ProductError('input.invalid', { detail: field }, { field })
}
