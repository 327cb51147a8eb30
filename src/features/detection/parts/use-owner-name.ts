import { useMemo } from 'react'
import { resultSdks } from '#contracts/http/detection/result.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { detectionTexts } from './detection-texts.ts'

const SDKS_MOST = 500

/** Whose code it is in words: own code, or the SDK by its name where the detection looked for SDKs. */
export function useOwnerName(task: string): (owner: string | null) => string {
  const d = useTexts(detectionTexts)
  const language = useLanguage()
  const { data } = useEndpoint(
    resultSdks,
    { query: { id: task, limit: SDKS_MOST } },
    { staleTime: Number.POSITIVE_INFINITY },
  )
  return useMemo(() => {
    const names = new Map(data?.data.map((one) => [one.id, one.name[language]]))
    return (owner) => (owner === null ? d('own') : (names.get(owner) ?? owner))
  }, [data, language, d])
}
