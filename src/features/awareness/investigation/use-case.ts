import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import {
  addEntry,
  type Case,
  type CaseEntry,
  caseById,
  cases,
  type NewEntry,
  removeEntry,
  saveCase,
} from '#contracts/http/investigation.ts'
import { type Subject, subjectText, type TrailStep, type TrailStop } from '#domain/trail.ts'
import { call } from '#src/shared/api/call.ts'
import { endpointKey, useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { shortHash } from '#src/shared/query/value-names.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { errorMessage } from '#src/shared/ui/error-state.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { caseTexts, traceTexts } from './trace-texts.ts'

/** What of a trace is pinned, and how to change that. */
export type Pins = {
  /** The account may pin, and the case in use is not closed. */
  may: boolean
  stop: (stop: TrailStop) => CaseEntry | undefined
  step: (step: TrailStep) => CaseEntry | undefined
  subject: CaseEntry | undefined
  toggleStop: (stop: TrailStop) => void
  toggleStep: (step: TrailStep) => void
  toggleSubject: () => void
}

export type CaseInUse = {
  /** Named by the address; undefined while none is, or while it is read. */
  data: Case | undefined
  entries: readonly CaseEntry[]
  withheld: number
  error: Error | null
  may: boolean
  use: (id: string | null) => void
  add: (entry: NewEntry) => Promise<void>
  remove: (id: string) => Promise<void>
  reload: () => Promise<void>
}

/** The case that pins and notes go into; `title` names the one that the first pin opens. */
export function useCase(state: QueryState, title: string): CaseInUse {
  const t = useTexts(caseTexts)
  const client = useQueryClient()
  const may = useMay('investigation.edit')
  const id = state.params.get('case')
  const result = useEndpoint(caseById, { query: { id: id ?? '' } }, { enabled: id !== null })
  const data = id === null ? undefined : result.data
  // A second pin may come before the case that the first one opens is there: both go into the one.
  const opening = useRef<Promise<Case> | null>(null)
  const open = async () => {
    try {
      if (id !== null) return (await call(caseById, { query: { id } }, { quiet: true })).data
      const made = (await call(saveCase, { body: { title } }, { quiet: true })).data
      state.setParams({ case: made.id }, true)
      return made
    } catch (error) {
      opening.current = null
      throw error
    }
  }
  useEffect(() => {
    if (data || id === null) opening.current = null
  }, [data, id])
  const reload = async () => {
    await Promise.all(
      [caseById, cases].map((one) => client.invalidateQueries({ queryKey: endpointKey<typeof one>(one) })),
    )
  }
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      toast.error(errorMessage(error))
    }
    await reload()
  }
  const remove = (entry: string) =>
    attempt(async () => {
      await call(removeEntry, { body: { id: entry } }, { quiet: true })
    })
  return {
    data: data?.data,
    entries: data?.entries ?? [],
    withheld: data?.withheld ?? 0,
    error: id === null ? null : result.error,
    may: may && data?.data.state !== 'closed',
    use: (next) => state.setParams({ case: next }, true),
    add: (entry) =>
      attempt(async () => {
        if (!data) opening.current ??= open()
        const into = data?.data ?? (await opening.current)
        if (!into) return
        const { data: added } = await call(addEntry, { body: { case_id: into.id, entry } }, { quiet: true })
        if (entry.kind === 'note') return
        toast.success(t('pinned', { title: into.title }), {
          action: { label: t('undo'), onPress: () => void remove(added.id) },
        })
      }),
    remove,
    reload,
  }
}

/** Title of the case that the first pin of this trace opens. */
export function useCaseTitle(subject: Subject | null): string {
  const t = useTexts(caseTexts)
  const w = useTexts(traceTexts)
  if (!subject) return t('fresh')
  const name = subject.kind === 'address' ? subject.key : shortHash(subject.kind, subject.key)
  return t('autoTitle', { kind: w(subject.kind), name })
}

/** Pins of the trace that is open, found again among the entries of the case. */
export function makePins(inUse: CaseInUse, subject: Subject, ask: { query: QueryState['query']; now: number }): Pins {
  const name = subjectText(subject)
  const own = inUse.entries.filter(({ body }) => 'subject' in body && subjectText(body.subject) === name)
  const stop = ({ from }: TrailStop) => own.find(({ body }) => body.kind === 'stop' && body.from === from)
  const step = (one: TrailStep) =>
    own.find(
      ({ body }) =>
        body.kind === 'step' &&
        body.step.from === one.from &&
        body.step.type === one.type &&
        body.step.risk === one.risk &&
        body.step.app === one.app &&
        body.step.device === one.device,
    )
  const pinned = own.find(({ body }) => body.kind === 'subject')
  const asked = { query: { ...ask.query, timeBasis: 'occurred' as const }, now: ask.now, subject }
  const toggle = (entry: CaseEntry | undefined, fresh: NewEntry) =>
    void (entry ? inUse.remove(entry.id) : inUse.add(fresh))
  return {
    may: inUse.may,
    stop,
    step,
    subject: pinned,
    toggleStop: (one) => toggle(stop(one), { kind: 'stop', ...asked, from: one.from, to: one.to }),
    toggleStep: (one) => {
      const { from, to, type, risk, app, device } = one
      toggle(step(one), { kind: 'step', ...asked, from, to, type, risk, app, device })
    },
    toggleSubject: () => toggle(pinned, { kind: 'subject', ...asked }),
  }
}
