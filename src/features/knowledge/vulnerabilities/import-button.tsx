import { useQueryClient } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { vulnerabilities } from '#contracts/http/vulnerabilities.ts'
import { endpointKey } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { errorMessage } from '#src/shared/ui/error-state.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { entriesOf, importEntries, MOST_BYTES } from './import-entries.ts'
import { vulnerabilitiesTexts } from './vulnerabilities-texts.ts'

/** Takes an NVD JSON or CNNVD XML file in, with progress on the button; says what was not taken. */
export function ImportButton() {
  const t = useTexts(vulnerabilitiesTexts)
  const language = useLanguage()
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [progress, setProgress] = useState<{ done: number; all: number }>()
  const take = async (file: File) => {
    if (file.size > MOST_BYTES) return toast.error(t('tooLarge'))
    const library = entriesOf(await file.text())
    if (!library) return toast.error(t('notLibrary'))
    const all = library.entries.length
    setProgress({ done: 0, all })
    try {
      const done = await importEntries(library, (count) => setProgress({ done: count, all }))
      const { added, changed, rejected, kept, problems } = done
      const numbers = problems.slice(0, 5).map((one) => `${one.number || '?'} (${one.problem})`)
      const details = [
        rejected > 0 && t('importRejected', { count: rejected }),
        problems.length > 0 && t('importProblems', { count: problems.length, numbers: numbers.join(', ') }),
      ].filter((one) => one !== false)
      toast.success(t('importDone', { added, changed, kept }), {
        ...(details.length > 0 && { ms: 30_000, detail: details.join(language === 'zh' ? '；' : '; ') }),
      })
    } catch (error) {
      toast.error(t('importFailed'), { detail: errorMessage(error) })
    }
    setProgress(undefined)
    await client.invalidateQueries({ queryKey: endpointKey(vulnerabilities) })
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".json,.xml,application/json,text/xml"
        className="hidden"
        aria-label={t('import')}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void take(file)
        }}
      />
      <Button icon={Upload} isDisabled={progress !== undefined} onPress={() => input.current?.click()}>
        {progress ? t('importing', progress) : t('import')}
      </Button>
    </>
  )
}
