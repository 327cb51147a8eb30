import { useState } from 'react'
import type { ReinforcePolicy, SIGNATURE_SCHEMES } from '#contracts/http/reinforce-policies.ts'
import type { ReinforceOption } from '#domain/reinforce-options.ts'
import { changedOptions, type ReinforceOptions } from '#domain/reinforce-policy.ts'
import { useUnsavedWarning } from '#src/shared/ui/use-unsaved-warning.ts'

export type DraftContent = {
  name: string
  general: boolean
  appid: string | null
  options: ReinforceOptions
  keep_rules: string
  signature_id: string | null
  schemes: (typeof SIGNATURE_SCHEMES)[number][]
}

export type PolicyDraft = {
  content: DraftContent
  /** Options and other fields that differ from what is saved. */
  changes: number
  /** Whether the signature file was chosen here: one that the caller may not see stays otherwise. */
  isSignatureChosen: boolean
  set: (part: Partial<DraftContent>) => void
  setOption: <K extends ReinforceOption>(key: K, part: Partial<ReinforceOptions[K]>) => void
  reset: () => void
}

/** What is being edited; leaving the page asks while there is anything to lose. */
export function usePolicyDraft(policy: ReinforcePolicy): PolicyDraft {
  const [edited, setEdited] = useState<Partial<DraftContent>>({})
  const { name, general, appid, options, keep_rules, signature_id, schemes } = policy
  const saved: DraftContent = { name, general, appid, options, keep_rules, signature_id, schemes }
  const content = { ...saved, ...edited }
  const fields = (Object.keys(edited) as (keyof DraftContent)[]).filter(
    (key) => key !== 'options' && JSON.stringify(edited[key]) !== JSON.stringify(saved[key]),
  )
  const changes = fields.length + changedOptions(saved.options, content.options).length
  useUnsavedWarning(changes > 0)
  return {
    content,
    changes,
    isSignatureChosen: fields.includes('signature_id'),
    set: (part) => setEdited((before) => ({ ...before, ...part })),
    setOption: (key, part) =>
      setEdited((before) => {
        const now = before.options ?? options
        return { ...before, options: { ...now, [key]: { ...now[key], ...part } } }
      }),
    reset: () => setEdited({}),
  }
}
