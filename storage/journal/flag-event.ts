import { HEAD_BYTES, NULLS, ROW, ROW_BYTES } from './batch-layout.ts'

/** Sets flags of the event at `index` of what encodeBatch wrote; false where its row is JSON: then nothing is changed. */
export function flagEvent(payload: Buffer, index: number, flags: number): boolean {
  const row = HEAD_BYTES + index * ROW_BYTES
  if ((payload[row + ROW.nulls] as number) & NULLS.json) return false
  payload[row + ROW.flags] = (payload[row + ROW.flags] as number) | flags
  return true
}
