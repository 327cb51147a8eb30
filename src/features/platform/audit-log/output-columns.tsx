import { Pencil, Send, Trash2 } from 'lucide-react'
import type { LogOutput } from '#contracts/http/audit-log.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import type { Translate } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { outputState } from './output-state.ts'
import type { outputTexts } from './output-texts.ts'

const TONES = { off: 'neutral', failed: 'bad', waiting: 'warn', sent: 'good' } as const
type Verbs = {
  isBusy: boolean
  test: (output: LogOutput) => void
  edit: (output: LogOutput) => void
  remove: (output: LogOutput) => void
}

/** `verbs` is false for who may only read. */
export function outputColumns(
  t: Translate<keyof typeof outputTexts.entries & string>,
  zone: string,
  verbs: Verbs | false,
): Column<LogOutput>[] {
  return [
    { id: 'name', header: t('name'), fixed: true, cell: ({ name }) => <b className="font-semibold">{name}</b> },
    { id: 'kind', header: t('kind'), wide: true, cell: ({ kind }) => t(kind) },
    {
      id: 'target',
      header: t('target'),
      wide: true,
      cell: ({ target }) => (
        <span className="text-clip-line block max-w-[42ch] font-mono text-12" title={target}>
          {target}
        </span>
      ),
    },
    { id: 'state', header: t('state'), fixed: true, cell: (output) => <State output={output} t={t} zone={zone} /> },
    {
      id: 'position',
      header: t('position'),
      wide: true,
      cell: ({ position }) =>
        position === 0 ? <span className="text-muted">{t('nothingSent')}</span> : t('entry', { count: position }),
    },
    {
      id: 'last',
      header: t('lastSent'),
      wide: true,
      cell: ({ last_sent_at }) =>
        last_sent_at === null ? (
          <span className="text-muted">{t('nothingSent')}</span>
        ) : (
          <RelativeTime at={last_sent_at} />
        ),
    },
    ...(verbs
      ? [
          {
            id: 'verbs',
            header: '',
            fixed: true,
            numeric: true,
            cell: (output: LogOutput) => (
              <span className="inline-flex items-center gap-1">
                <Button
                  size="small"
                  variant="quiet"
                  icon={Send}
                  isDisabled={verbs.isBusy}
                  onPress={() => verbs.test(output)}
                >
                  {t('test')}
                </Button>
                <IconButton
                  size="small"
                  icon={Pencil}
                  label={`${t('change')} ${output.name}`}
                  onPress={() => verbs.edit(output)}
                />
                <IconButton
                  size="small"
                  icon={Trash2}
                  label={`${t('remove')} ${output.name}`}
                  isDisabled={verbs.isBusy}
                  onPress={() => verbs.remove(output)}
                />
              </span>
            ),
          },
        ]
      : []),
  ]
}

function State({
  output,
  t,
  zone,
}: {
  output: LogOutput
  t: Translate<keyof typeof outputTexts.entries & string>
  zone: string
}) {
  const state = outputState(output)
  const { error, waiting, next_at } = output
  const reason = [
    error,
    waiting > 0 && t('waitingNow', { count: waiting }),
    next_at !== null && t('nextAt', { time: formatDateTime(next_at, zone, 'time') }),
  ]
  return (
    <span className="flex items-center gap-2">
      <Chip tone={TONES[state]}>{t(state, { count: waiting })}</Chip>
      {state === 'failed' && (
        <span className="text-clip-line max-w-[36ch] text-12 text-muted max-sm:max-w-24" title={error}>
          {reason.filter(Boolean).join(' · ')}
        </span>
      )}
    </span>
  )
}
