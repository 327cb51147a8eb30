import { createHashTable } from './hash-table.ts'

const WINDOW_SECONDS = 300
const RING = WINDOW_SECONDS + 64

/** Devices seen in the last five minutes, exact to the second. */
export type OnlineDevices = {
  recordSeen(device: string, at: number): void
  count(now: number): number
}

export function createOnlineDevices(): OnlineDevices {
  const last = createHashTable()
  /** Device count by the second they were last seen in; `newest` is the latest second the ring covers. */
  const bySecond = new Uint32Array(RING)
  let newest = 0
  let sum = 0

  function advance(second: number): void {
    if (second <= newest) return
    if (second - newest >= RING) {
      bySecond.fill(0)
      sum = 0
      last.clear()
    } else {
      for (let s = newest + 1; s <= second; s++) {
        // Slot of s held s - RING, which left the window long ago; what leaves it now is s - WINDOW_SECONDS - 1.
        bySecond[s % RING] = 0
        sum -= bySecond[(s - WINDOW_SECONDS - 1 + RING) % RING] as number
        bySecond[(s - WINDOW_SECONDS - 1 + RING) % RING] = 0
      }
    }
    const drop = Math.floor(second / 60) !== Math.floor(newest / 60)
    newest = second
    if (drop) last.dropBelow(newest - WINDOW_SECONDS)
  }

  return {
    recordSeen(device, at) {
      const second = Math.floor(at / 1000)
      advance(second)
      if (second < newest - WINDOW_SECONDS) return
      const before = last.get(device)
      if (before >= second) return
      last.set(device, second)
      if (before >= newest - WINDOW_SECONDS) bySecond[before % RING] = (bySecond[before % RING] as number) - 1
      else sum++
      bySecond[second % RING] = (bySecond[second % RING] as number) + 1
    },
    count(now) {
      advance(Math.floor(now / 1000))
      return sum
    },
  }
}
