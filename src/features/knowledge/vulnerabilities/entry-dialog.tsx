import { useState } from 'react'
import {
  type OwnEntry,
  saveVulnerability,
  VULNERABILITY_LEVELS,
  type VulnerabilityLevel,
  vulnerabilities,
  vulnerability,
} from '#contracts/http/vulnerabilities.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { errorMessage } from '#src/shared/ui/error-state.tsx'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { parseRangeLines, rangeLines } from './range-lines.ts'
import { vulnerabilitiesTexts } from './vulnerabilities-texts.ts'

const EMPTY: OwnEntry = {
  ...{ number: '', type: 'logic', level: 'middle', platform: 'app', fixed_in: '', references: [] },
  ...{ name: { zh: '', en: '' }, introduction: { zh: '', en: '' }, advice: { zh: '', en: '' } },
  ...{ cvss: null, released: null, known_exploited: false, ranges: [] },
}
/** Texts of an entry in both languages, each with its labels. */
const BILINGUAL = [
  { key: 'name', zh: 'nameZh', en: 'nameEn', field: { maxLength: 300 } },
  { key: 'introduction', zh: 'introductionZh', en: 'introductionEn', field: { rows: 3, maxLength: 8000 } },
  { key: 'advice', zh: 'adviceZh', en: 'adviceEn', field: { rows: 2, maxLength: 8000 } },
] as const
const LEVELS = Object.entries(VULNERABILITY_LEVELS) as [VulnerabilityLevel, { zh: string; en: string }][]

/** An own entry of the library, new or changed. What was typed stays until it is saved or the dialog is closed. */
export function EntryDialog({
  entry = EMPTY,
  changedAt,
  types,
  onSaved,
  onClose,
}: {
  entry?: OwnEntry
  /** Of the entry that is changed; null for a new one. */
  changedAt: number | null
  types: readonly { id: string; name: { zh: string; en: string } }[]
  onSaved: (number: string) => void
  onClose: () => void
}) {
  const t = useTexts(vulnerabilitiesTexts)
  const language = useLanguage()
  const [value, setValue] = useState(entry)
  const [score, setScore] = useState(entry.cvss === null ? '' : String(entry.cvss))
  const [links, setLinks] = useState(entry.references.join('\n'))
  const [lines, setLines] = useState(rangeLines(entry.ranges))
  const set = (part: Partial<OwnEntry>) => setValue((before) => ({ ...before, ...part }))
  const references = links.split('\n').flatMap((line) => line.trim() || [])
  const ranges = parseRangeLines(lines)
  const cvss = score.trim() === '' ? null : Number(score)
  const wrong = {
    number: value.number !== '' && !/^[A-Z]{2,8}-[\w-]{4,40}$/.test(value.number),
    score: cvss !== null && !(cvss >= 0 && cvss <= 10),
    day: value.released !== null && Number.isNaN(Date.parse(`${value.released}T00:00Z`)),
    links: references.some((url) => !/^https?:\/\/\S{1,2000}$/.test(url)),
    ranges: 'wrongLine' in ranges,
  }
  const save = useAction(saveVulnerability, { refreshes: [vulnerabilities, vulnerability], quiet: true })
  const submit = () => {
    if ('wrongLine' in ranges) return
    save.mutate(
      { body: { entry: { ...value, cvss, references, ranges }, changed_at: changedAt } },
      {
        onSuccess() {
          toast.success(t('saved'))
          onSaved(value.number)
        },
        onError: (error) => toast.error(errorMessage(error)),
      },
    )
  }
  const isEmpty = value.number === '' || (value.name.zh.trim() === '' && value.name.en.trim() === '')
  return (
    <FormDialog
      title={changedAt === null ? t('create') : t('editTitle', { number: value.number })}
      submitLabel={t('save')}
      isDisabled={isEmpty || Object.values(wrong).some(Boolean) || save.isPending}
      onSubmit={submit}
      onClose={onClose}
      width={760}
      className="grid grid-cols-2 gap-x-4 gap-y-3 max-sm:grid-cols-1"
    >
      <TextField
        label={t('number')}
        value={value.number}
        onChange={(number) => set({ number: number.trim() })}
        note={t('wrongNumber')}
        error={wrong.number ? t('wrongNumber') : undefined}
        isReadOnly={changedAt !== null}
        autoFocus={changedAt === null}
        isRequired
        maxLength={48}
        mono
      />
      <Select
        label={t('level')}
        value={value.level}
        onChange={(level) => set({ level })}
        items={LEVELS.map(([id, name]) => ({ id, label: name[language] }))}
      />
      <Select
        label={t('type')}
        value={value.type}
        onChange={(type) => set({ type })}
        items={types.map(({ id, name }) => ({ id, label: name[language] }))}
      />
      <TextField
        label={t('score')}
        value={score}
        onChange={setScore}
        error={wrong.score ? t('wrongScore') : undefined}
        maxLength={4}
      />
      {BILINGUAL.flatMap(({ key, field, ...labels }) =>
        (['zh', 'en'] as const).map((of) => (
          <TextField
            key={`${key} ${of}`}
            label={t(labels[of])}
            value={value[key][of]}
            onChange={(text) => set({ [key]: { ...value[key], [of]: text } })}
            note={key === 'name' && of === 'zh' ? t('nameNote') : undefined}
            {...field}
          />
        )),
      )}
      <TextField
        className="col-span-full"
        label={t('ranges')}
        value={lines}
        onChange={setLines}
        rows={3}
        note={t('rangesNote')}
        error={'wrongLine' in ranges ? t('wrongRanges', { line: ranges.wrongLine }) : undefined}
        mono
      />
      <TextField label={t('patch')} value={value.fixed_in} onChange={(fixed_in) => set({ fixed_in })} maxLength={200} />
      <TextField
        label={t('released')}
        value={value.released ?? ''}
        onChange={(day) => set({ released: day.trim() || null })}
        error={wrong.day ? t('wrongDay') : undefined}
        type="date"
      />
      <TextField
        className="col-span-full"
        label={t('address')}
        value={links}
        onChange={setLinks}
        rows={2}
        error={wrong.links ? t('wrongLinks') : undefined}
        mono
      />
      <Switch isSelected={value.known_exploited} onChange={(known_exploited) => set({ known_exploited })}>
        {t('exploited')}
      </Switch>
    </FormDialog>
  )
}
