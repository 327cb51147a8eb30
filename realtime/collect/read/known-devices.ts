import type { Place } from '#engines/geo/place.ts'
import { recentCache } from './recent-cache.ts'

/** Computed values of a device's last event: its user and address seldom change. */
export type KnownDevice = { hash: string; userText: string; user: string; address: string; place: Place }

/** Recently seen devices, by their text id. */
export function knownDevices(hash: (text: string) => string, lookup: (address: string) => Place, remembered = 50_000) {
  const cache = recentCache<KnownDevice>(remembered)
  function find(text: string): KnownDevice {
    const known = cache.get(text)
    if (known) return known
    const device = { hash: hash(text), userText: '', user: '', address: '', place: lookup('') }
    cache.set(text, device)
    return device
  }
  return {
    find,
    /** Keyed hash of the device's user. */
    user(device: KnownDevice, text: string): string {
      if (device.userText !== text) {
        device.user = hash(text)
        device.userText = text
      }
      return device.user
    },
    /** Place of the device's address. */
    place(device: KnownDevice, address: string): Place {
      if (device.address !== address) {
        device.place = lookup(address)
        device.address = address
      }
      return device.place
    },
  }
}
export type KnownDevices = ReturnType<typeof knownDevices>
