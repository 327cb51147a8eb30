import { useQueries } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type AppFile, fileDetail } from '#contracts/http/assets.ts'
import type { ApiError } from '#src/shared/api/api-error.ts'
import { call } from '#src/shared/api/call.ts'
import { endpointKey } from '#src/shared/api/use-endpoint.ts'
import type { Address } from '#src/shared/table/use-address.ts'
import { type ChoiceParam, readChosen, toggled } from './chosen-ids.ts'

/** A chosen file; `file` is undefined until it is known. */
export type ChosenFile = { id: string; file: AppFile | undefined; isMissing: boolean }

/** Files chosen in the address. Those that no list has shown yet (a link named them) are asked for. */
export type Choice = {
  ids: readonly string[]
  files: readonly ChosenFile[]
  most: number
  toggle: (id: string, file?: AppFile) => void
}

export function useChosenFiles({ params, setParams }: Address, param: ChoiceParam): Choice {
  const ids = useMemo(() => readChosen(params, param), [params, param])
  const [seen, setSeen] = useState<ReadonlyMap<string, AppFile>>(new Map())
  const answers = useQueries({
    queries: ids.map((id) => {
      const input = { query: { id } }
      return {
        queryKey: endpointKey(fileDetail, input),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(fileDetail, { ...input, signal }, { quiet: true }),
        enabled: !seen.has(id),
      }
    }),
  })
  return {
    ids,
    most: param.most,
    files: ids.map((id, index) => ({
      id,
      file: seen.get(id) ?? answers[index]?.data?.data,
      isMissing: !seen.has(id) && (answers[index]?.error as ApiError | null | undefined)?.key === 'data.missing',
    })),
    toggle: (id, file) => {
      if (file) setSeen((before) => new Map(before).set(id, file))
      setParams((now) => ({ [param.name]: toggled(readChosen(now, param), id, param.most) }), true)
    },
  }
}
