import { ChevronDown, Clock, GitCompareArrows } from 'lucide-react'
import type { ReactElement } from 'react'
import { Button } from 'react-aria-components'
import type { Query } from '#domain/query.ts'
import { useTexts } from '../i18n/texts.ts'
import { useApplications } from '../session/application-store.ts'
import { useActions } from '../ui/actions.ts'
import { Icon, type IconType } from '../ui/icon.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { queryTexts } from './query-texts.ts'
import type { QueryState } from './use-query-state.ts'
import { useNameOf } from './value-names.ts'

function trigger(label: string, text: string, icon?: IconType, quiet = false): ReactElement {
  return (
    <Button
      aria-label={`${label}: ${text}`}
      className={`inline-flex min-w-0 flex-none items-center rounded whitespace-nowrap hover:bg-hover ${quiet ? 'h-6 gap-1 px-1.5 text-12 text-muted max-lg:-ml-1.5' : 'h-control gap-1.5 border border-line-strong bg-surface px-2.5'}`}
    >
      {icon && <Icon of={icon} size={quiet ? 14 : 16} className="text-muted" />}
      <span className="text-clip-line max-w-56">{text}</span>
      <Icon of={ChevronDown} size={14} className="text-muted" />
    </Button>
  )
}

/** Which application is asked about: the page's own choice, which starts as the header's. */
export function ApplicationSelect({ state }: { state: QueryState }) {
  const t = useTexts(queryTexts)
  const nameOf = useNameOf()
  const list = useApplications((all) => all.list) ?? []
  const chosen = state.query.filters.filter((one) => one.field === 'app')
  const choose = (id: string | null) =>
    state.set({
      filters: [
        ...(id === null ? [] : [{ field: 'app' as const, op: 'is' as const, values: [id] }]),
        ...state.query.filters.filter((one) => one.field !== 'app'),
      ],
    })
  const [first] = chosen
  const single =
    chosen.length === 1 && first?.op === 'is' && first.values.length === 1 ? (first.values[0] as string) : null
  const text =
    single !== null
      ? t('app') + nameOf('app', single)
      : chosen.length > 0
        ? t('app') + chosen.flatMap((one) => one.values).length
        : t('allApps')
  return (
    <MenuButton
      label={t('app')}
      placement="bottom start"
      trigger={trigger(t('app'), text)}
      items={[
        { items: [{ id: 'all', label: t('allApps'), isChosen: chosen.length === 0, onAction: () => choose(null) }] },
        {
          items: list.map((app) => ({
            id: app.id,
            label: nameOf('app', app.id),
            isChosen: app.id === single,
            onAction: () => choose(app.id),
          })),
        },
      ]}
    />
  )
}

const COMPARE = ['none', 'previous', 'week'] as const satisfies readonly Query['compare'][]

/** The period compared with. Key: c goes to the next choice. */
export function CompareSelect({ state }: { state: QueryState }) {
  const t = useTexts(queryTexts)
  const { compare } = state.query
  const next = COMPARE[(COMPARE.indexOf(compare) + 1) % COMPARE.length] as Query['compare']
  useActions([
    { id: 'query.compare', label: t('compare'), group: t('group'), keys: 'c', run: () => state.set({ compare: next }) },
  ])
  return (
    <MenuButton
      label={t('compare')}
      placement="bottom start"
      trigger={trigger(t('compare'), t(compare), GitCompareArrows)}
      items={COMPARE.map((one) => ({
        id: one,
        label: t(one),
        isChosen: one === compare,
        onAction: () => state.set({ compare: one }),
      }))}
    />
  )
}

/** Whether times are those of occurrence or of arrival. */
export function BasisSelect({ state }: { state: QueryState }) {
  const t = useTexts(queryTexts)
  const { timeBasis } = state.query
  return (
    <MenuButton
      label={t('basis')}
      trigger={trigger(t('basis'), t(timeBasis), Clock, true)}
      items={(['occurred', 'received'] as const).map((one) => ({
        id: one,
        label: t(one),
        hint: t(one === 'occurred' ? 'occurredNote' : 'receivedNote'),
        isChosen: one === timeBasis,
        onAction: () => state.set({ timeBasis: one }),
      }))}
    />
  )
}
