import { CircleCheck, CircleDashed, Ellipsis, TriangleAlert } from 'lucide-react'
import type { ChannelBase, ReinforceChannel } from '#contracts/http/reinforce-channels.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import type { Translate } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { MenuButton, type MenuEntry } from '#src/shared/ui/menu-button.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import type { channelTexts } from './channel-texts.ts'

export type ChannelText = Translate<keyof typeof channelTexts.entries & string>
type Input = {
  t: ChannelText
  /** The package that channels are written into; undefined without one. */
  base: ChannelBase | undefined
  isSelected: (id: number) => boolean
  onSelect: (channel: ReinforceChannel) => void
  menuOf: (channel: ReinforceChannel) => readonly MenuEntry[]
}

/** What the list shows of a channel and of its package (HARD-07). */
export function channelColumns({ t, base, isSelected, onSelect, menuOf }: Input): Column<ReinforceChannel>[] {
  return [
    {
      id: 'key',
      header: t('key'),
      width: '200px',
      fixed: true,
      sort: 'key',
      cell: (channel) => (
        <span className="flex min-w-0 items-center gap-2">
          <Checkbox
            label={t('select', { key: channel.key })}
            isSelected={isSelected(channel.id)}
            onChange={() => onSelect(channel)}
          />
          <code className="text-clip-line text-13 max-sm:max-w-36" title={channel.key}>
            {channel.key}
          </code>
        </span>
      ),
    },
    {
      id: 'name',
      header: t('name'),
      fixed: true,
      sort: 'name',
      cell: ({ name }) => (
        <span className="text-clip-line block max-w-72 max-sm:max-w-32 2xl:max-w-xl" title={name}>
          {name}
        </span>
      ),
    },
    {
      id: 'group',
      header: t('groups'),
      width: '130px',
      wide: true,
      sort: 'group',
      cell: ({ group }) => (
        <span className="text-clip-line block max-w-32 text-muted" title={group}>
          {group}
        </span>
      ),
    },
    {
      id: 'place',
      header: t('place'),
      width: '110px',
      wide: true,
      cell: (channel) => {
        const place = channel.package?.place ?? base?.place
        return place ? <span className="whitespace-nowrap">{place === 'block' ? t('block') : 'META-INF'}</span> : '—'
      },
    },
    {
      id: 'checked',
      header: t('checked'),
      width: '136px',
      wide: true,
      cell: (channel) => <CheckedMark t={t} made={channel.package} />,
    },
    {
      id: 'size',
      header: t('size'),
      width: '108px',
      numeric: true,
      wide: true,
      cell: (channel) => (
        <span className="text-muted tabular-nums">
          {channel.package
            ? formatBytes(channel.package.size)
            : base?.place
              ? t('about', { size: formatBytes(base.size) })
              : '—'}
        </span>
      ),
    },
    {
      id: 'made',
      header: t('made'),
      width: '120px',
      wide: true,
      spare: true,
      cell: (channel) => (
        <span className="text-muted">{channel.package ? <RelativeTime at={channel.package.made_at} /> : '—'}</span>
      ),
    },
    {
      id: 'actions',
      header: '',
      width: '48px',
      fixed: true,
      cell: (channel) => (
        <MenuButton iconOnly icon={Ellipsis} label={t('actionsOf', { key: channel.key })} items={menuOf(channel)} />
      ),
    },
  ]
}

function CheckedMark({ t, made }: { t: ChannelText; made: ReinforceChannel['package'] }) {
  if (!made)
    return (
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-muted">
        <Icon of={CircleDashed} size={14} />
        {t('notMade')}
      </span>
    )
  const isV1 = made.place === 'meta'
  return (
    <span
      className="inline-flex items-center gap-1.5 whitespace-nowrap"
      title={t(made.whole ? 'passedWhole' : 'passedTail')}
    >
      <Icon of={isV1 ? TriangleAlert : CircleCheck} size={14} className={isV1 ? 'text-warn-text' : 'text-good-text'} />
      {t(isV1 ? 'onlyV1' : 'passed')}
    </span>
  )
}
