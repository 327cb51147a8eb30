import { createHmac } from 'node:crypto'
import type { DeviceSummary, TopList } from '#contracts/live/messages.ts'

/** What is shown of an attacked device, as an event or a stored row gives it. */
type Described = { device: string; model: string; country: string; province: string | number; city: string | number }

/**
 * The device list of a display token's wall: instead of keyed hashes, which other pages accept, it has labels that mean nothing
 * elsewhere, with model and place of each device.
 */
export type WallDevices = {
  /** Remembers model and place of a listed device. */
  describe(event: Described): void
  /** The list with labels as keys and a summary of each. */
  relabel(list: TopList): TopList
  clear(): void
}

/** Summaries kept; the list has eight rows, which change slowly. */
const MOST_SUMMARIES = 64
const LABEL_DIGITS = 8

/** `wall`: id of the display token, which is never sent to it; labels are derived from it. */
export function createWallDevices(wall: string): WallDevices {
  const summaries = new Map<string, DeviceSummary>()
  const label = (device: string) =>
    createHmac('sha256', wall).update(device).digest('hex').slice(0, LABEL_DIGITS).toUpperCase()
  return {
    describe({ device, model, country, province, city }) {
      summaries.delete(device)
      if (summaries.size >= MOST_SUMMARIES) summaries.delete(summaries.keys().next().value as string)
      summaries.set(device, { model, country, province: String(province), city: String(city) })
    },
    relabel(list) {
      const about: Record<string, DeviceSummary> = {}
      const rows = list.rows.map(([device, count]): [string, number] => {
        const key = label(device)
        const summary = summaries.get(device)
        if (summary) about[key] = summary
        return [key, count]
      })
      return { ...list, rows, about }
    },
    clear: () => summaries.clear(),
  }
}
