const MOST = 50
const ID = /^[\w-]{1,64}$/

/** Ids of files in the address, in the order in which they were chosen; at most as many as one request takes. */
export function readChosen(params: URLSearchParams): string[] {
  const ids = (params.get('files') ?? '').split(',').filter((id) => ID.test(id))
  return [...new Set(ids)].slice(0, MOST)
}

/** What the address says after a file was ticked or unticked. */
export function toggled(chosen: readonly string[], id: string): string | null {
  const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(-MOST)
  return next.length > 0 ? next.join(',') : null
}
