import { useState } from 'react'
import type { Policy } from '#contracts/http/policies.ts'
import { canonicalRules, type PolicyRules, sameRules } from '#domain/policy-rules.ts'
import { type Action, type Level, RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'
import { useUnsavedWarning } from '#src/shared/ui/use-unsaved-warning.ts'

export type Draft = {
  rules: PolicyRules
  /** Says something that is not saved yet. */
  dirty: boolean
  setLevel: (level: Level, action: Action) => void
  setRisk: (risk: RiskType, action: Action) => void
  setWords: (risk: RiskType, text: { zh: string; en: string } | undefined) => void
  reset: () => void
}

/** What is being edited: the saved draft until something is changed; leaving the page asks while there is anything to lose. */
export function useDraft(policy: Policy): Draft {
  const [edited, setEdited] = useState<PolicyRules>()
  const rules = edited ?? policy.draft
  const dirty = edited !== undefined && !sameRules(edited, policy.draft)
  useUnsavedWarning(dirty)
  const set = (next: PolicyRules) => setEdited(canonicalRules(next))
  return {
    rules,
    dirty,
    setLevel: (level, action) => set({ ...rules, levels: { ...rules.levels, [level]: action } }),
    // What the level says anyway is no setting of its own.
    setRisk: (risk, action) => {
      const { action: _, ...rest } = rules.risks[risk] ?? {}
      const own = action === rules.levels[RISK_TYPES[risk].level] ? rest : { ...rest, action }
      set({ ...rules, risks: { ...rules.risks, [risk]: own } })
    },
    setWords: (risk, text) => {
      const { text: _, ...rest } = rules.risks[risk] ?? {}
      set({ ...rules, risks: { ...rules.risks, [risk]: text ? { ...rest, text } : rest } })
    },
    reset: () => setEdited(undefined),
  }
}
