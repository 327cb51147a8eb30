import { formatExact } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { channelTexts } from './channel-texts.ts'

/** Groups shown as segments; more of them become a list. */
const MOST_SEGMENTS = 4
/** No group is called this: names are trimmed. */
const ALL_GROUPS = ' '

/** All, or one group; a few stand side by side. */
export function GroupChoice({
  value,
  groups,
  all,
  onChange,
}: {
  value: string
  groups: readonly { name: string; count: number }[]
  /** Undefined before the first answer. */
  all: number | undefined
  onChange: (value: string) => void
}) {
  const t = useTexts(channelTexts)
  if (all === undefined || groups.length === 0) return null
  if (groups.length <= MOST_SEGMENTS)
    return (
      <span className="max-w-full overflow-x-auto">
        <SegmentedControl
          size="small"
          label={t('groups')}
          value={value}
          onChange={onChange}
          items={[
            { id: '', label: t('all'), note: formatExact(all) },
            ...groups.map(({ name, count }) => ({ id: name, label: name, note: formatExact(count) })),
          ]}
        />
      </span>
    )
  // A list has no row with an empty key.
  return (
    <Select
      label={t('groups')}
      hideLabel
      size="small"
      className="w-44"
      value={value || ALL_GROUPS}
      items={[
        { id: ALL_GROUPS, label: t('allOf', { count: all }) },
        ...groups.map(({ name, count }) => ({ id: name, label: name, note: formatExact(count) })),
      ]}
      onChange={(next) => onChange(next === ALL_GROUPS ? '' : next)}
    />
  )
}
