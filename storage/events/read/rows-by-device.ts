import { growTypedArray } from '../query/grow-typed-array.ts'

/** Radix sort: by this many low bits of the device number, then by the bits above. */
const LOW_BITS = 10
/** Insertion sort is faster up to this many times. */
const FEW = 32

/** Rows of one step at a time: devices and times within it. */
export class RowsByDevice {
  devices = new Uint32Array(1 << 12)
  times = new Uint32Array(1 << 12)
  count = 0
  private spareDevices = new Uint32Array(0)
  private spareTimes = new Uint32Array(0)
  private readonly slots: Uint32Array

  constructor(keys: number) {
    this.slots = new Uint32Array(Math.max(1 << LOW_BITS, (keys >>> LOW_BITS) + 1) + 1)
  }

  clear(): void {
    this.count = 0
  }

  add(devices: Uint32Array, times: Uint32Array, count: number): void {
    if (this.count + count > this.devices.length) {
      const length = Math.max(this.devices.length * 2, this.count + count)
      this.devices = growTypedArray(this.devices, length)
      this.times = growTypedArray(this.times, length)
    }
    this.devices.set(devices.subarray(0, count), this.count)
    this.times.set(times.subarray(0, count), this.count)
    this.count += count
  }

  /** By device, and those of one by time. */
  sort(): void {
    if (this.spareTimes.length < this.count) {
      this.spareDevices = new Uint32Array(this.devices.length)
      this.spareTimes = new Uint32Array(this.times.length)
    }
    this.sortBy(0, (1 << LOW_BITS) - 1)
    this.sortBy(LOW_BITS, -1)
    const { devices, times, count } = this
    for (let from = 0, to = 0; from < count; from = to) {
      const device = devices[from]
      for (to = from + 1; to < count && devices[to] === device; ) to++
      sortTimes(times, from, to)
    }
  }

  /** Stable counting sort by these bits of the device number. */
  private sortBy(shift: number, mask: number): void {
    const { slots, count, times, devices, spareTimes, spareDevices } = this
    slots.fill(0)
    for (let row = 0; row < count; row++) {
      const next = (((devices[row] as number) >>> shift) & mask) + 1
      slots[next] = (slots[next] as number) + 1
    }
    for (let i = 1; i < slots.length; i++) slots[i] = (slots[i] as number) + (slots[i - 1] as number)
    for (let row = 0; row < count; row++) {
      const bits = ((devices[row] as number) >>> shift) & mask
      const slot = slots[bits] as number
      slots[bits] = slot + 1
      spareDevices[slot] = devices[row] as number
      spareTimes[slot] = times[row] as number
    }
    this.devices = spareDevices
    this.times = spareTimes
    this.spareDevices = devices
    this.spareTimes = times
  }
}

function sortTimes(times: Uint32Array, from: number, to: number): void {
  if (to - from > FEW) {
    times.subarray(from, to).sort()
    return
  }
  for (let i = from + 1; i < to; i++) {
    const time = times[i] as number
    let at = i
    for (; at > from && (times[at - 1] as number) > time; at--) times[at] = times[at - 1] as number
    times[at] = time
  }
}
