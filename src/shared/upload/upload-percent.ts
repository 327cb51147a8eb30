/** The most that shows before the server has said yes (APP-04). */
const CAP = 90

/** Whole percent of an upload: at most 90 until it is done, then 100. */
export function uploadPercent(sent: number, size: number, done: boolean): number {
  if (done) return 100
  return size > 0 ? Math.max(0, Math.min(CAP, Math.floor((sent / size) * 100))) : 0
}
