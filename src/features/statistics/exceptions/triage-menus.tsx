import { Check, ChevronDown, UserRound } from 'lucide-react'
import { exceptionAssignees } from '#contracts/http/exceptions.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useMay, useSession } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { exceptionTexts } from './exception-texts.ts'
import { type Changeable, useTriage } from './use-triage.ts'

const DAY_MS = 86_400_000
const IGNORE_DAYS = [1, 7, 30] as const

/** Resolve, ignore, reopen and assign, for one group or for several. */
export function TriageMenus({ groups, onDone }: { groups: readonly Changeable[]; onDone?: () => void }) {
  const t = useTexts(exceptionTexts)
  const may = useMay('investigation.edit')
  const me = useSession((session) => session.user?.username ?? '')
  const change = useTriage()
  const [appid] = new Set(groups.map((group) => group.appid))
  const oneApp = groups.every((group) => group.appid === appid)
  const people = useEndpoint(
    exceptionAssignees,
    { query: { appid: appid ?? '0' } },
    { enabled: may && oneApp && appid !== undefined, staleTime: 60_000 },
  )
  const run = (...args: Parameters<typeof change>) => void change(...args).then(onDone, () => {})
  const single = groups.length === 1 ? groups[0] : undefined
  const assignee = single?.triage.assignee ?? null
  const others = (people.data?.data ?? []).filter((name) => name !== me)
  const title = may ? {} : { title: t('editMissing') }
  return (
    <>
      <MenuButton
        label={t('ignore')}
        trigger={
          <Button isDisabled={!may} {...title}>
            {single ? t(single.triage.state) : t('ignore')}
            <ChevronDown size={14} aria-hidden className="ml-1 inline" />
          </Button>
        }
        items={[
          {
            items: [
              {
                id: 'open',
                label: t('reopen'),
                onAction: () => run(groups, () => ({ state: 'open', resolved_version: null, ignored_until: null })),
              },
              {
                id: 'resolved',
                label: single?.newest ? t('resolveIn', { version: single.newest }) : t('resolveNow'),
                onAction: () => run(groups, resolve),
              },
            ],
          },
          {
            title: t('ignore'),
            items: [
              ...IGNORE_DAYS.map((days) => ({
                id: `ignore-${days}`,
                label: t('ignoreDays', { days }),
                onAction: () =>
                  run(groups, () => ({
                    state: 'ignored',
                    resolved_version: null,
                    ignored_until: Date.now() + days * DAY_MS,
                  })),
              })),
              {
                id: 'ignore-good',
                label: t('ignoreForever'),
                onAction: () => run(groups, () => ({ state: 'ignored', resolved_version: null, ignored_until: null })),
              },
            ],
          },
        ]}
      />
      <MenuButton
        label={t('assign')}
        trigger={
          <Button icon={UserRound} isDisabled={!may} {...title}>
            {single ? (assignee ?? t('unassigned')) : t('assign')}
          </Button>
        }
        items={[
          { id: '', label: t('unassign'), onAction: () => run(groups, () => ({ assignee: null })) },
          { id: 'me', label: t('assignMe'), hint: me, onAction: () => run(groups, () => ({ assignee: me })) },
          ...others.map((name) => ({
            id: `u-${name}`,
            label: name,
            onAction: () => run(groups, () => ({ assignee: name })),
          })),
        ]}
      />
      <Button
        variant="primary"
        icon={Check}
        isDisabled={!may || groups.every((group) => group.triage.state === 'resolved')}
        {...title}
        onPress={() => run(groups, resolve)}
      >
        {t('resolve')}
      </Button>
    </>
  )
}

/** In the newest version that the group was seen in: a later one brings it back. */
function resolve({ newest }: Changeable) {
  return { state: 'resolved' as const, resolved_version: newest || null, ignored_until: null }
}
