import { Copy, Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { Link, useNavigate } from 'react-router-dom'
import { deleteStrategy, type Strategy, strategies } from '#contracts/http/detection/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Tabs } from '#src/shared/ui/tabs.tsx'
import { gateText } from './gate-text.ts'
import { OffersTable } from './offers-table.tsx'
import { offersTexts } from './offers-texts.ts'
import { RuleList } from './rule-list.tsx'
import { rulesTexts } from './rules-texts.ts'
import { strategiesTexts } from './strategies-texts.ts'

const TABS = ['strategies', 'rules', 'offers'] as const

/** Built-in strategies and own ones: what they examine and what a release needs. */
export function StrategyList({ list }: { list: readonly Strategy[] }) {
  const t = useTexts(strategiesTexts)
  const r = useTexts(rulesTexts)
  const o = useTexts(offersTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { params, setParams } = useAddress()
  const tab = TABS.find((one) => one === params.get('tab')) ?? 'strategies'
  const mayEdit = useMay('rule.edit')
  const base = list[0]
  const create = () => base && void navigate(`${PAGES.strategies.path}?from=${base.id}`)
  useActions(
    mayEdit
      ? [{ id: 'strategies.create', label: t('create'), group: t('list'), keys: 'n', icon: Plus, run: create }]
      : [],
  )
  const head = [t('name'), t('items'), t('overrides'), t('gate'), t('tasks'), t('updated')]
  const table = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable by keyboard
    <section className="overflow-x-auto" aria-label={t('list')} tabIndex={0}>
      <table className="w-full border-collapse">
        <thead>
          <tr className="h-8 border-b text-left text-12 text-muted">
            {head.map((title, index) => (
              <th
                key={title}
                scope="col"
                className={`px-2 font-normal whitespace-nowrap first:pl-5 ${index > 0 ? 'max-sm:hidden' : ''}`}
              >
                {title}
              </th>
            ))}
            <th className="w-12" />
          </tr>
        </thead>
        <tbody>
          {list.map((one) => (
            <Row key={one.id} strategy={one} mayEdit={mayEdit} />
          ))}
        </tbody>
      </table>
    </section>
  )
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={PAGES.strategies[language]}
        note={t('note', { count: list.length })}
        actions={
          mayEdit &&
          tab === 'strategies' && (
            <Button variant="primary" icon={Plus} onPress={create}>
              {t('create')}
            </Button>
          )
        }
      />
      <Tabs
        label={r('parts')}
        value={tab}
        onChange={(next) => setParams({ tab: next === 'strategies' ? null : next, rule: null })}
        items={[
          { id: 'strategies', label: r('strategies'), content: table },
          { id: 'rules', label: r('rules'), content: tab === 'rules' && <RuleList /> },
          { id: 'offers', label: o('offers'), content: tab === 'offers' && <OffersTable /> },
        ]}
      />
    </div>
  )
}

function Row({ strategy, mayEdit }: { strategy: Strategy; mayEdit: boolean }) {
  const t = useTexts(strategiesTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { mutate } = useAction(deleteStrategy, {
    refreshes: [strategies],
    onSuccess: () => deleted(),
  })
  const name = strategy.name[language]
  const remove = async () => {
    const question = { title: t('removeTitle', { name }), text: t('removeText'), action: t('remove') }
    if (await confirmDeletion(question)) mutate({ body: { id: strategy.id } })
  }
  return (
    <tr className="border-b hover:bg-hover">
      <td className="px-2 py-2 pl-5">
        <span className="flex items-center gap-2">
          <Link
            to={`${PAGES.strategies.path}?strategy=${strategy.id}`}
            className="font-semibold whitespace-nowrap text-brand-text hover:underline"
          >
            {name}
          </Link>
          {strategy.built_in && <Chip tone="neutral">{t('builtIn')}</Chip>}
        </span>
        <span className="block max-w-[110ch] text-12/4 text-muted">{strategy.note[language]}</span>
        <span className="block text-12/4 sm:hidden">{gateText(strategy.gate, language, t)}</span>
      </td>
      <td className="px-2 whitespace-nowrap max-sm:hidden">
        {strategy.items === null ? t('all') : strategy.items.length}
      </td>
      <td className="px-2 tabular-nums max-sm:hidden">{Object.keys(strategy.levels).length || ''}</td>
      <td className="px-2 max-sm:hidden">
        {gateText(strategy.gate, language, t) || <span className="text-muted">{t('noGate')}</span>}
      </td>
      <td className="px-2 whitespace-nowrap text-muted max-sm:hidden">{t('tasksOf', { count: strategy.tasks })}</td>
      <td className="px-2 text-12 whitespace-nowrap text-muted max-sm:hidden">
        {!strategy.built_in && (
          <>
            <RelativeTime at={strategy.updated_at} /> {strategy.by}
          </>
        )}
      </td>
      <td className="pr-4 text-right">
        {mayEdit && (
          <MenuButton
            iconOnly
            icon={Ellipsis}
            label={t('actions', { name })}
            items={[
              {
                id: 'open',
                label: t(strategy.built_in ? 'open' : 'edit'),
                icon: Pencil,
                onAction: () => void navigate(`${PAGES.strategies.path}?strategy=${strategy.id}`),
              },
              {
                id: 'copy',
                label: t('copy'),
                icon: Copy,
                onAction: () => void navigate(`${PAGES.strategies.path}?from=${strategy.id}`),
              },
              ...(strategy.built_in
                ? []
                : [{ id: 'delete', label: t('remove'), icon: Trash2, danger: true, onAction: () => void remove() }]),
            ]}
          />
        )}
      </td>
    </tr>
  )
}
