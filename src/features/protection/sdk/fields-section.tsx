import { useSearchParams } from 'react-router-dom'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { type collectFields as CollectFields, collectFields, setCollectFields } from '#contracts/http/policies.ts'
import type { OptionalField } from '#contracts/telemetry/policy.ts'
import {
  type FieldNote,
  isOptional,
  SDK_DETAILS,
  SDK_FIELDS,
  type SdkPlatform,
} from '#contracts/telemetry/sdk-fields.ts'
import { EVENT_TYPES } from '#domain/vocabulary.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { PlainTable } from '../parts/plain-table.tsx'
import { sdkTexts } from './sdk-texts.ts'

type Shown = 'all' | SdkPlatform
export type Collected = ResponseOf<typeof CollectFields>['data']

/** Every field that the SDKs send; with an application chosen, switches for the optional ones. */
export function FieldsSection({
  application,
  collected,
}: {
  application: { id: string; name: string } | null
  collected: Collected | undefined
}) {
  const t = useTexts(sdkTexts)
  const language = useLanguage()
  const mayEdit = useMay('policy.edit')
  const [params, setParams] = useSearchParams()
  const asked = params.get('platform')
  const shown: Shown = asked === 'web' || asked === 'android' ? asked : 'all'
  const save = useAction(setCollectFields, { refreshes: [collectFields], onSuccess: () => toast.success(t('saved')) })
  const rows = SDK_FIELDS.filter(({ platforms }) => shown === 'all' || platforms.includes(shown))
  const details = SDK_DETAILS.filter(({ platforms }) => shown === 'all' || platforms.includes(shown))
  const off: readonly string[] = collected?.off ?? []

  const choose = (to: Shown) => {
    const next = new URLSearchParams(params)
    if (to === 'all') next.delete('platform')
    else next.set('platform', to)
    setParams(next, { replace: true })
  }
  const change = async (name: OptionalField, on: boolean) => {
    if (!application) return
    if (name === 'detail' && !on) {
      const sure = await confirm({
        title: t('detailOff'),
        text: t('detailOffText'),
        action: t('turnOff'),
        danger: true,
      })
      if (!sure) return
    }
    const others = off.filter((one): one is OptionalField => one !== name)
    save.mutate({ body: { appid: application.id, off: on ? others : [...others, name] } })
  }
  const state = !application
    ? t('chooseToSwitch')
    : off.length > 0
      ? t('offCount', { app: application.name, count: off.length })
      : t('allOn', { app: application.name })

  return (
    <Section
      title={t('fields')}
      note={t('fieldsNote')}
      actions={
        <SegmentedControl
          label={t('platforms')}
          size="small"
          value={shown}
          onChange={choose}
          items={[
            { id: 'all', label: t('allPlatforms') },
            { id: 'web', label: t('web') },
            { id: 'android', label: t('android') },
          ]}
        />
      }
    >
      <p className="flex flex-wrap gap-x-3 border-y bg-canvas px-5 py-2 text-12 text-muted">
        <span>{state}</span>
        {collected?.changed_at && (
          <span>
            {t('changed')} <RelativeTime at={collected.changed_at} />
          </span>
        )}
        {application && !mayEdit && <span>{t('notAllowed')}</span>}
      </p>
      <PlainTable
        label={t('fields')}
        rows={rows}
        rowKey={(row) => row.name}
        columns={[
          { id: 'field', title: t('field'), cell: (row) => <FieldName row={row} /> },
          { id: 'source', title: t('source'), className: 'min-w-56', cell: (row) => row.source[language] },
          { id: 'purpose', title: t('purpose'), className: 'min-w-44', cell: (row) => row.purpose[language] },
          {
            id: 'personal',
            title: t('nature'),
            className: 'whitespace-nowrap',
            cell: (row) => (row.personal ? <Chip tone="warn">{t('personal')}</Chip> : t('notPersonal')),
          },
          {
            id: 'platforms',
            title: t('platforms'),
            className: 'whitespace-nowrap',
            cell: (row) => row.platforms.map((one) => t(one)).join(' · '),
          },
          {
            id: 'collected',
            title: t('collected'),
            className: 'whitespace-nowrap',
            cell: ({ name }) =>
              isOptional(name) ? (
                <Switch
                  label={t('collectField', { name })}
                  isSelected={!off.includes(name)}
                  isDisabled={!application || !collected || !mayEdit || save.isPending}
                  onChange={(on) => void change(name as OptionalField, on)}
                />
              ) : (
                <span className="text-muted">{t(name === 'consent' ? 'follows' : 'required')}</span>
              ),
          },
        ]}
      />
      <h3 className="px-5 pt-5 pb-2 font-semibold">{t('details')}</h3>
      <PlainTable
        label={t('details')}
        rows={details}
        rowKey={(row) => row.type}
        columns={[
          {
            id: 'event',
            title: t('event'),
            className: 'whitespace-nowrap',
            cell: ({ type }) => EVENT_TYPES[type][language],
          },
          { id: 'holds', title: t('content'), cell: ({ holds }) => holds[language] },
          {
            id: 'platforms',
            title: t('platforms'),
            className: 'whitespace-nowrap',
            cell: (row) => row.platforms.map((one) => t(one)).join(' · '),
          },
        ]}
      />
      <p className="px-5 py-3 text-12 text-muted">{t('neverSent')}</p>
    </Section>
  )
}

function FieldName({ row }: { row: FieldNote }) {
  const t = useTexts(sdkTexts)
  return (
    <span className="flex items-center gap-1.5">
      <code className="text-12">{row.name}</code>
      {row.providedByApp && <Chip tone="neutral">{t('byApp')}</Chip>}
    </span>
  )
}
