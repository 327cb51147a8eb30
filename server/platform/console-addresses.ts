import { ProductError } from '#contracts/errors.ts'
import type { Settings } from '#contracts/http/settings.ts'
import { isListed } from '#domain/address-range.ts'

/** Throws login.address where a sign-in may not come from this address: before anything of it is verified or counted. */
export function checkSignInAddress(settings: Pick<Settings, 'console_addresses'>, address: string): void {
  if (!isListed(settings.console_addresses, address)) throw new ProductError('login.address', { address })
}
