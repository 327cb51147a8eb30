const ID = /^\d{1,9}$/

/** The parameter of an address that has ids of application files, and how many of them one request takes. */
export type ChoiceParam = { name: string; most: number }

/** Ids of application files in the address, in the order in which they were chosen; each once, strange ones left out. */
export function readChosen(params: URLSearchParams, { name, most }: ChoiceParam): string[] {
  const ids = (params.get(name) ?? '').split(',').filter((id) => ID.test(id))
  return [...new Set(ids)].slice(0, most)
}

/** What the parameter says after a file was ticked or unticked; beyond the limit nothing is added. */
export function toggled(chosen: readonly string[], id: string, most: number): string | null {
  const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(0, most)
  return next.join(',') || null
}
