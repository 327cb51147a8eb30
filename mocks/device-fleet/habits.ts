/** Which phones are in use on which day: some daily, most now and then, some not before they came. */
const DAY_MS = 86_400_000
/** Days are those of Shanghai. */
const OFFSET_MS = 8 * 3_600_000
/** Share of the phones that come new, each on its day of the cycle, and how long they stay. */
export const JOINERS = 0.4
export const CYCLE_DAYS = 40
/** Longer away than any history that the fleet sends, so that who comes is new. */
const AWAY_DAYS = 16

/** From a number in [0, 1): a quarter opens the application nearly every day, half of the rest less than every third. */
export function habitOf(u: number): number {
  return u < 0.25 ? 0.8 + 0.18 * (u / 0.25) : 0.12 + 0.5 * ((u - 0.25) / 0.75) ** 1.6
}

export function dayOf(at: number): number {
  return Math.floor((at + OFFSET_MS) / DAY_MS)
}

/** Whether the phone is opened on that day: the same on every start. On its first day it is. */
export function isInUse(
  { habit, joins, serial }: { habit: number; joins?: number; serial: number },
  day: number,
): boolean {
  if (joins !== undefined) {
    const age = (((day - joins) % CYCLE_DAYS) + CYCLE_DAYS) % CYCLE_DAYS
    if (age >= CYCLE_DAYS - AWAY_DAYS) return false
    if (age === 0) return true
  }
  let mix = Math.imul(serial + 1, 0x9e3779b1) ^ Math.imul(day + 1, 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 15), 0xc2b2ae35)
  return ((mix ^ (mix >>> 13)) >>> 0) / 4_294_967_296 < habit
}
