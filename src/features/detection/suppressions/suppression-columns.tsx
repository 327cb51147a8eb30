import { Check, Ellipsis, FileSearch, Undo2 } from 'lucide-react'
import type { Suppression } from '#contracts/http/detection/result.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import type { Language, Translate } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import type { suppressionsTexts } from './suppressions-texts.ts'

type Input = {
  t: Translate<keyof typeof suppressionsTexts.entries & string>
  language: Language
  zone: string
  /** May approve what others asked for, and lift any. */
  mayApprove: boolean
  me: string | undefined
  onOpen: (one: Suppression) => void
  onApprove: (one: Suppression) => void
  onLift: (one: Suppression) => void
}

const TONES = { pending: 'warn', active: 'good', expired: 'neutral' } as const

/** What the list shows of a suppression: what, why, until when, who asked and who approved it. */
export function suppressionColumns(input: Input): Column<Suppression>[] {
  const { t, language, zone } = input
  return [
    {
      id: 'item',
      header: t('item'),
      fixed: true,
      cell: (one) => (
        <span className="block max-w-72 py-1 max-sm:max-w-44">
          <span className="text-clip-line block font-semibold" title={one.item_name[language]}>
            {one.item_name[language]}
          </span>
          <span className="text-clip-line block text-12/4 text-muted">
            {t(one.fingerprint === null ? 'whole' : 'place')} · <span className="font-mono">{one.item}</span>
          </span>
        </span>
      ),
    },
    {
      id: 'application',
      header: t('application'),
      width: 'clamp(180px, 16vw, 320px)',
      wide: true,
      cell: (one) => (
        <span className="block max-w-52">
          <span className="text-clip-line block">{one.app_name || '–'}</span>
          <span className="text-clip-line block font-mono text-12/4 text-muted" title={one.package_id}>
            {one.package_id}
          </span>
        </span>
      ),
    },
    {
      id: 'reason',
      header: t('reason'),
      wide: true,
      cell: (one) => (
        <span className="line-clamp-2 max-w-80 min-w-40 text-12/4 whitespace-normal 2xl:max-w-160" title={one.reason}>
          {one.reason}
        </span>
      ),
    },
    {
      id: 'state',
      header: t('state'),
      width: '110px',
      cell: (one) => <Chip tone={TONES[one.state]}>{t(one.state)}</Chip>,
    },
    {
      id: 'until',
      header: t('until'),
      width: '110px',
      wide: true,
      cell: (one) =>
        one.until === null ? (
          <span className="text-muted">{t('forever')}</span>
        ) : (
          <span className={one.state === 'expired' ? 'text-muted line-through' : ''}>
            {formatDateTime(one.until, zone, 'day')}
          </span>
        ),
    },
    { id: 'by', header: t('by'), width: '150px', wide: true, cell: (one) => <Who name={one.by} at={one.created_at} /> },
    {
      id: 'approver',
      header: t('approver'),
      width: '150px',
      wide: true,
      cell: (one) => one.approver !== null && <Who name={one.approver} at={one.approved_at} />,
    },
    { id: 'actions', header: '', width: '56px', fixed: true, cell: (one) => <Menu one={one} input={input} /> },
  ]
}

function Who({ name, at }: { name: string; at: number | null }) {
  return (
    <span className="block max-w-40 text-12/4">
      <span className="text-clip-line block" title={name}>
        {name}
      </span>
      <span className="block text-muted">{at !== null && <RelativeTime at={at} />}</span>
    </span>
  )
}

function Menu({
  one,
  input: { t, language, mayApprove, me, onOpen, onApprove, onLift },
}: {
  one: Suppression
  input: Input
}) {
  const mayLift = mayApprove || (one.state === 'pending' && one.by === me)
  return (
    <MenuButton
      iconOnly
      icon={Ellipsis}
      label={t('actions', { name: one.item_name[language] })}
      items={[
        {
          id: 'open',
          label: t('open'),
          icon: FileSearch,
          isDisabled: one.task === null,
          ...(one.task === null && { hint: t('taskGone') }),
          onAction: () => onOpen(one),
        },
        ...(one.state === 'pending' && mayApprove
          ? [{ id: 'approve', label: t('approve'), icon: Check, onAction: () => onApprove(one) }]
          : []),
        ...(mayLift ? [{ id: 'lift', label: t('lift'), icon: Undo2, danger: true, onAction: () => onLift(one) }] : []),
      ]}
    />
  )
}
