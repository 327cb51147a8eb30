import { useMemo } from 'react'
import { OWNER_KINDS } from '#contracts/detection/kinds.ts'
import { UNKNOWN_OWNER } from '#contracts/detection/scan-result.ts'
import { resultSdks } from '#contracts/http/detection/result.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage } from '#src/shared/i18n/texts.ts'

const SDKS_MOST = 500

/** Whose code it is in words: own code, or the SDK by its name where the detection looked for SDKs. */
export function useOwnerName(task: string): (owner: string | null) => string {
  const language = useLanguage()
  const { data } = useEndpoint(
    resultSdks,
    { query: { id: task, limit: SDKS_MOST } },
    { staleTime: Number.POSITIVE_INFINITY },
  )
  return useMemo(() => {
    const names = new Map(data?.data.map((one) => [one.id, one.name[language]]))
    return (owner) => {
      if (owner === null) return OWNER_KINDS.own[language]
      if (owner === UNKNOWN_OWNER) return OWNER_KINDS.unknown[language]
      return names.get(owner) ?? (owner || OWNER_KINDS.sdk[language])
    }
  }, [data, language])
}
