import { useState } from 'react'
import { alertChannels, alertRules, previewAlertRule, saveAlertRule } from '#contracts/http/alerts.ts'
import {
  ALERT_SPLITS,
  ALERT_WINDOWS,
  type AlertWindow,
  isRunMeasure,
  RUN_MEASURES,
  type Rule,
  type RuleWindow,
  type RunMeasure,
} from '#domain/alerts.ts'
import { DIMENSIONS, MEASURES, type Measure } from '#domain/query.ts'
import { LEVELS, LEVELS_BY_SEVERITY, RISK_TYPES } from '#domain/vocabulary.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useBasis } from '#src/shared/api/use-basis.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlaces } from '#src/shared/map/places.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { FIELD_LABEL, FIELD_NOTE } from '#src/shared/ui/field.ts'
import { OutdatedBar } from '#src/shared/ui/outdated-bar.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { alertTexts } from './alert-texts.ts'
import {
  countedForm,
  type FormError,
  formErrors,
  formOf,
  NEW_RULE,
  RULE_LIMITS,
  type RuleForm,
  ruleOf,
  withSource,
} from './rule-form.ts'

const KINDS = ['at_least', 'below', 'rise', 'drop'] as const
/** The value of the choices 'no filter' and 'no split'. */
const ANY = 'any'

/** A rule as a form, with how often it would have fired. */
export function RuleDialog({ rule, onClose }: { rule: Rule | null; onClose: () => void }) {
  const t = useTexts(alertTexts)
  const language = useLanguage()
  const [form, setForm] = useState<RuleForm>(() => (rule ? formOf(rule) : NEW_RULE))
  const [tried, setTried] = useState(false)
  const channels = useEndpoint(alertChannels).data?.data ?? []
  const nameOf = useNameOf()
  const apps = useApplications((state) => state.list) ?? []
  const places = usePlaces()
  const preview = useAction(previewAlertRule, { quiet: true })
  const rules = useEndpoint(alertRules).data?.data
  const save = useAction(saveAlertRule, {
    refreshes: [alertRules],
    onSuccess: () => {
      toast.success(t('saved'))
      onClose()
    },
  })
  const basis = useBasis(rules?.find(({ id }) => id === rule?.id) ?? rule, (one) => one?.version)
  const isOutdated = basis.isOutdated && !save.isPending
  const errors = formErrors(form)
  const set = (change: Partial<RuleForm>) => {
    setForm({ ...form, ...change })
    preview.reset()
  }
  const errorOf = (field: keyof typeof RULE_LIMITS) =>
    errors.has(field)
      ? t('between', { min: RULE_LIMITS[field][0], max: formatExact(RULE_LIMITS[field][1]) })
      : undefined
  const number = (field: keyof typeof RULE_LIMITS, note?: string) => (
    <TextField
      label={t(field)}
      value={form[field]}
      onChange={(text) => set({ [field]: text })}
      error={errorOf(field)}
      note={note}
    />
  )
  const submit = () => {
    setTried(true)
    if (errors.size > 0 || isOutdated) return
    const { row } = basis
    save.mutate({ body: { ...(row && { id: row.id, version: row.version }), rule: ruleOf(form) } })
  }
  const any = { id: ANY, label: t('any') }
  const choice = (
    field: 'risk' | 'level' | 'province' | 'app',
    label: string,
    items: { id: string; label: string }[],
  ) => (
    <Select
      label={label}
      value={form[field] === '' ? ANY : form[field]}
      onChange={(id) => set({ [field]: id === ANY ? '' : id })}
      items={items}
    />
  )
  const { kind, by } = countedForm(form)
  const change = kind === 'rise' || kind === 'drop'
  const ofRuns = isRunMeasure(form.measure)
  const mayMonitor = useMay('monitor.view')
  return (
    <Dialog
      title={t(rule ? 'editRule' : 'newRule')}
      isOpen
      onOpenChange={onClose}
      width={720}
      footer={
        <>
          <Button
            isDisabled={errors.size > (errors.has('name') ? 1 : 0) || preview.isPending}
            onPress={() => preview.mutate({ body: { rule: { ...ruleOf(form), name: form.name.trim() || '-' } } })}
          >
            {t('preview')}
          </Button>
          <span className="flex-1" />
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button variant="primary" isDisabled={save.isPending || isOutdated} onPress={submit}>
            {t('save')}
          </Button>
        </>
      }
    >
      <form
        className="grid grid-cols-2 gap-x-4 gap-y-3 max-sm:grid-cols-1"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {isOutdated && (
          <div className="col-span-full">
            <OutdatedBar onKeep={basis.keepMine} onDiscard={onClose} />
          </div>
        )}
        <TextField
          label={t('name')}
          value={form.name}
          onChange={(name) => set({ name })}
          maxLength={64}
          error={tried && errors.has('name') ? t('nameEmpty') : undefined}
          isRequired
          autoFocus
        />
        <Select
          label={t('severity')}
          value={form.severity}
          onChange={(severity) => set({ severity })}
          items={LEVELS_BY_SEVERITY.map((id) => ({ id, label: LEVELS[id][language] }))}
        />
        {(mayMonitor || ofRuns) && (
          <div className="col-span-full">
            <span className={FIELD_LABEL}>{t('source')}</span>
            <SegmentedControl
              label={t('source')}
              value={ofRuns ? 'ofRuns' : 'ofEvents'}
              onChange={(source) => {
                preview.reset()
                setForm(withSource(form, source === 'ofRuns'))
              }}
              items={(['ofEvents', 'ofRuns'] as const).map((id) => ({ id, label: t(id) }))}
            />
            {ofRuns && <span className={FIELD_NOTE}>{t('runNote')}</span>}
          </div>
        )}
        <Select
          label={t('measure')}
          value={form.measure}
          onChange={(measure) => set({ measure })}
          items={
            ofRuns
              ? (Object.keys(RUN_MEASURES) as RunMeasure[]).map((id) => ({ id, label: RUN_MEASURES[id][language] }))
              : (Object.keys(MEASURES) as Measure[]).map((id) => ({ id, label: MEASURES[id][language] }))
          }
        />
        {!ofRuns && (
          <Select<RuleWindow>
            label={t('window')}
            value={form.window}
            onChange={(window) => set({ window })}
            items={(Object.keys(ALERT_WINDOWS) as AlertWindow[]).map((id) => ({
              id,
              label: ALERT_WINDOWS[id][language],
            }))}
          />
        )}
        {choice('app', t('apps'), [
          { id: ANY, label: t('allApps') },
          ...apps.map(({ id }) => ({ id, label: nameOf('app', id) })),
        ])}
        {!ofRuns && (
          <>
            {choice('risk', t('risk'), [
              any,
              ...Object.entries(RISK_TYPES).map(([id, words]) => ({ id, label: words[language] })),
            ])}
            {choice('level', t('eventLevel'), [
              any,
              ...LEVELS_BY_SEVERITY.map((id) => ({ id, label: LEVELS[id][language] })),
            ])}
            {choice('province', t('region'), [
              any,
              ...[...(places?.provinces.keys() ?? [])].map((id) => ({ id, label: nameOf('province', id) })),
            ])}
            <div>
              <Select
                label={t('split')}
                value={form.by ?? ANY}
                onChange={(id) => set({ by: id === ANY ? null : id })}
                items={[
                  { id: ANY as typeof ANY | (typeof ALERT_SPLITS)[number], label: t('splitNone') },
                  ...ALERT_SPLITS.map((id) => ({ id, label: DIMENSIONS[id][language] })),
                ]}
              />
              {errors.has('by' satisfies FormError) && <p className="mt-1 text-12 text-bad-text">{t('belowSplit')}</p>}
            </div>
            <div className="col-span-full">
              <span className={FIELD_LABEL}>{t('kind')}</span>
              <SegmentedControl
                label={t('kind')}
                value={form.kind}
                onChange={(kind) => set({ kind })}
                items={KINDS.map((id) => ({ id, label: t(id) }))}
              />
              {change && <span className={FIELD_NOTE}>{t('usualNote')}</span>}
            </div>
          </>
        )}
        {change ? (
          <>
            {number('factor')}
            {number('minimum')}
          </>
        ) : (
          number('threshold')
        )}
        {number('cooldown', t('cooldownNote'))}
        {channels.length > 0 && (
          <fieldset className="col-span-full">
            <legend className={FIELD_LABEL}>{t('forRules')}</legend>
            <span className="flex flex-wrap gap-4">
              {channels.map((one) => (
                <Checkbox
                  key={one.id}
                  isSelected={form.channels.includes(one.id)}
                  onChange={(on) =>
                    set({ channels: on ? [...form.channels, one.id] : form.channels.filter((id) => id !== one.id) })
                  }
                >
                  {one.name}
                </Checkbox>
              ))}
            </span>
          </fieldset>
        )}
        <Preview preview={preview} by={by} />
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}

function Preview({
  preview,
  by,
}: {
  preview: ReturnType<typeof useAction<typeof previewAlertRule>>
  by: RuleForm['by']
}) {
  const t = useTexts(alertTexts)
  const nameOf = useNameOf()
  const zone = usePlatform((state) => state.zone)
  if (preview.isIdle) return null
  const found = preview.data?.data
  return (
    <output className="col-span-full rounded border bg-canvas px-3 py-2">
      {preview.error ? (
        <ErrorState error={preview.error} onRetry={preview.reset} />
      ) : !found ? (
        t('previewing')
      ) : found.method === 'none' ? (
        t('previewNot')
      ) : (
        <>
          <b className="font-semibold">
            {t('previewDone', { alerts: formatExact(found.alerts), windows: formatExact(found.windows) })}
          </b>
          {found.method === 'side_by_side' && <span className="ml-2 text-muted">{t('previewSide')}</span>}
          <ul className="mt-1 text-12 text-muted">
            {found.newest.slice(0, 5).map((one) => (
              <li key={`${one.end}${one.key}`}>
                {formatDateTime(one.end, zone, 'minute', Date.now())} {by && nameOf(by, one.key)}{' '}
                {formatExact(one.value)}
              </li>
            ))}
          </ul>
        </>
      )}
    </output>
  )
}
