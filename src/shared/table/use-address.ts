import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'

type Values = Readonly<Record<string, string | null>>

/** View state of a page that asks no statistics: the parameters of its address. */
export type Address = {
  params: URLSearchParams
  /**
   * Sets (or, with null or '', removes) parameters. Values that depend on what the address says are a function of it.
   * `replace` keeps it one step of history.
   */
  setParams: (values: Values | ((now: URLSearchParams) => Values), replace?: boolean) => void
}

export function useAddress(): Address {
  const [params, setSearch] = useSearchParams()
  const setParams = useCallback<Address['setParams']>(
    (values, replace = false) =>
      setSearch(
        () => {
          // What the address says now: a render may still be on its way when the next change comes.
          const next = new URLSearchParams(location.search)
          for (const [name, value] of Object.entries(typeof values === 'function' ? values(next) : values)) {
            if (value) next.set(name, value)
            else next.delete(name)
          }
          return next
        },
        { replace, preventScrollReset: true },
      ),
    [setSearch],
  )
  return { params, setParams }
}
