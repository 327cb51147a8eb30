import { Plus } from 'lucide-react'
import { useState } from 'react'
import { DIMENSIONS, type Dimension } from '#domain/query.ts'
import { LEVELS, type Level } from '#domain/vocabulary.ts'
import { useLanguage, useTexts } from '../i18n/texts.ts'
import { useMay } from '../session/session-store.ts'
import { Button } from '../ui/button.tsx'
import { LevelMark } from '../ui/level-mark.tsx'
import { Num } from '../ui/num.tsx'
import { Popover } from '../ui/popover.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { queryTexts } from './query-texts.ts'
import type { QueryState } from './use-query-state.ts'
import { useStatistics } from './use-statistics.ts'
import { useNameOf } from './value-names.ts'

const SHOWN = 200

/** Adds a filter: a field, then one of its most frequent values in the range, found by typing. Shift excludes. */
export function AddFilter({ state }: { state: QueryState }) {
  const t = useTexts(queryTexts)
  return (
    <Popover
      label={t('addFilter')}
      trigger={
        <Button variant="quiet" icon={Plus} className="px-2!">
          {t('filter')}
        </Button>
      }
    >
      {(close) => <FilterPicker state={state} close={close} />}
    </Popover>
  )
}

function FilterPicker({ state, close }: { state: QueryState; close: () => void }) {
  const t = useTexts(queryTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const mayReveal = useMay('personal.reveal')
  const [field, setField] = useState<Dimension>('level')
  const [text, setText] = useState('')
  // Values stay on offer even while the same field is filtered already.
  const query = {
    ...state.query,
    compare: 'none' as const,
    filters: state.query.filters.filter((one) => one.field !== field),
  }
  const result = useStatistics(
    query,
    { values: { kind: 'top', by: field, measures: ['events'], limit: SHOWN } },
    { paused: true },
  )
  const part = result.part('values')
  const typed = text.trim().toLowerCase()
  const groups = part.kind === 'ready' ? part.answer.groups : []
  const found = groups.filter(
    ({ key }) => !typed || key.toLowerCase().includes(typed) || nameOf(field, key).toLowerCase().includes(typed),
  )
  const add = (value: string, exclude: boolean) => {
    state.pick(field, value, exclude)
    close()
  }
  const fields = (Object.keys(DIMENSIONS) as Dimension[]).filter((one) => one !== 'address' || mayReveal)
  return (
    <div className="flex w-72 max-w-full flex-col gap-2 p-3">
      <Select
        label={t('field')}
        hideLabel
        value={field}
        onChange={(next) => {
          setField(next)
          setText('')
        }}
        items={fields.map((id) => ({ id, label: DIMENSIONS[id][language] }))}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const [first] = found
          const open = DIMENSIONS[field].words === null && text.trim() !== ''
          if (first) add(first.key, false)
          else if (open) add(text.trim(), false)
        }}
      >
        <TextField
          label={t('searchValue')}
          hideLabel
          value={text}
          onChange={setText}
          placeholder={t('searchValue')}
          autoComplete="off"
          autoFocus
        />
      </form>
      <div className="max-h-64 overflow-auto" aria-busy={part.kind === 'loading'}>
        {part.kind === 'error' && <p className="px-2 py-1 text-12 text-bad-text">{part.error.message}</p>}
        {part.kind === 'ready' && found.length === 0 && <p className="px-2 py-1 text-12 text-muted">{t('noValues')}</p>}
        <ul aria-label={t('topValues')}>
          {found.map(({ key, row }) => (
            <li key={key}>
              <button
                type="button"
                className="flex h-7 w-full items-center gap-2 rounded-small px-2 text-left text-12 hover:bg-hover"
                title={t('excludeHint')}
                onClick={(event) => add(key, event.shiftKey)}
              >
                {field === 'level' && key in LEVELS && <LevelMark level={key as Level} word={false} />}
                <span className="text-clip-line min-w-0 flex-1">{nameOf(field, key)}</span>
                <span className="text-muted">
                  <Num value={row.events ?? 0} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <p className="border-t pt-2 text-12 text-muted">{t('excludeHint')}</p>
    </div>
  )
}
