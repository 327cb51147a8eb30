import { BellOff, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { alertRules, deleteAlertRule, saveAlertRule, silenceAlertRule } from '#contracts/http/alerts.ts'
import { isRunMeasure, type Rule } from '#domain/alerts.ts'
import { DIMENSIONS } from '#domain/query.ts'
import { conditionText } from '#src/shared/alerts/alert-words.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useFilterText, useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { ManagedList } from '#src/shared/table/managed-list.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { alertTexts } from './alert-texts.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { inputOf } from './rule-form.ts'
import { SilenceDialog } from './silence-dialog.tsx'

/** The rules that raise alerts: switch, change, silence, delete. */
export function RuleList() {
  const t = useTexts(alertTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const filterText = useFilterText()
  const zone = usePlatform((state) => state.zone)
  const mayEdit = useMay('alert.edit')
  const maySilence = useMay('alert.acknowledge')
  const answer = useEndpoint(alertRules)
  const save = useAction(saveAlertRule, { refreshes: [alertRules] })
  const silence = useAction(silenceAlertRule, { refreshes: [alertRules] })
  const remove = useAction(deleteAlertRule, {
    refreshes: [alertRules],
    onSuccess: () => deleted(),
  })
  const [editing, setEditing] = useState<Rule | 'new' | null>(null)
  const [silencing, setSilencing] = useState<Rule | null>(null)
  const columns: readonly Column<Rule>[] = [
    { id: 'level', header: t('severity'), cell: (one) => <LevelMark level={one.severity} />, width: '76px' },
    {
      id: 'name',
      header: t('name'),
      fixed: true,
      cell: (one) => (
        <span className="flex items-center gap-2">
          <b className="text-clip-line max-w-[32ch] font-semibold">{one.name}</b>
          {one.firing > 0 && <Chip tone="bad">{t('firing')}</Chip>}
          {one.silences.map((quiet) => (
            <Chip
              key={quiet.id}
              tone="neutral"
              label={t('endSilence')}
              {...(maySilence && {
                onRemove: () => silence.mutate({ body: { rule: one.id, key: quiet.key, until: null } }),
              })}
            >
              {[
                quiet.key !== null && one.by && nameOf(one.by, quiet.key),
                t('silentUntil', { time: formatDateTime(quiet.until, zone, 'minute', Date.now()) }),
              ]
                .filter(Boolean)
                .join(' ')}
            </Chip>
          ))}
        </span>
      ),
    },
    {
      id: 'condition',
      header: t('condition'),
      cell: (one) => conditionText(one.condition, one.measure, one.window, language),
    },
    {
      id: 'counts',
      header: t('counts'),
      cell: (one) => (
        <span className="text-clip-line block max-w-[26ch] text-muted 2xl:max-w-[60ch] min-[1800px]:max-w-[80ch]">
          {[
            one.by && t('each', { by: DIMENSIONS[one.by][language] }),
            ...(one.filters.length > 0
              ? one.filters.map(filterText)
              : [t(isRunMeasure(one.measure) ? 'everyRun' : 'everything')]),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      ),
    },
    {
      id: 'changed',
      header: t('changedBy'),
      cell: (one) => (
        <span className="text-muted" title={one.updated_by}>
          <span className="max-2xl:hidden">{one.updated_by}</span> <RelativeTime at={one.updated_at} />
        </span>
      ),
    },
    {
      id: 'actions',
      header: '',
      fixed: true,
      numeric: true,
      cell: (one) => (
        <span className="inline-flex items-center gap-1">
          {mayEdit && (
            <Switch
              label={`${t('enabled')} ${one.name}`}
              isSelected={one.enabled}
              onChange={(enabled) =>
                save.mutate({ body: { id: one.id, version: one.version, rule: { ...inputOf(one), enabled } } })
              }
            />
          )}
          {maySilence && (
            <IconButton size="small" label={t('silence')} icon={BellOff} onPress={() => setSilencing(one)} />
          )}
          {mayEdit && (
            <>
              <IconButton size="small" label={t('edit')} icon={Pencil} onPress={() => setEditing(one)} />
              <IconButton
                size="small"
                label={t('remove')}
                icon={Trash2}
                onPress={async () => {
                  const text = t('removeRule', { name: one.name })
                  if (await confirmDeletion({ title: t('remove'), text, action: t('remove') }))
                    remove.mutate({ body: { id: one.id } })
                }}
              />
            </>
          )}
        </span>
      ),
    },
  ]
  return (
    <>
      <ManagedList
        answer={answer}
        label={t('rules')}
        columns={columns}
        create={mayEdit && { label: t('newRule'), onPress: () => setEditing('new') }}
        none={{ title: t('ruleNone'), hint: t('ruleNoneHint') }}
        lines={6}
      />
      {editing && <RuleDialog rule={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      {silencing && <SilenceDialog rule={silencing} onClose={() => setSilencing(null)} />}
    </>
  )
}
