import { useState } from 'react'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { settingsTexts } from './settings-texts.ts'

/** What `read` answered, with the changes that `save` has not taken yet. Saving ends the draft and says so. */
export function useSettingsDraft<Draft extends object, Read extends Endpoint, Save extends Endpoint>(
  read: Read,
  save: Save,
) {
  const t = useTexts(settingsTexts)
  const answer = useEndpoint(read)
  const [draft, setDraft] = useState<Partial<Draft>>({})
  const saving = useAction(save, {
    refreshes: [read],
    onSuccess: () => {
      setDraft({})
      toast.success(t('saved'))
    },
  })
  return {
    answer,
    draft,
    saving,
    isChanged: Object.keys(draft).length > 0,
    change: (changes: Partial<Draft>) => setDraft({ ...draft, ...changes }),
    /** Takes one change back. */
    drop: (name: keyof Draft) => {
      const { [name]: _, ...rest } = draft
      setDraft(rest as Partial<Draft>)
    },
    clear: () => setDraft({}),
  }
}
