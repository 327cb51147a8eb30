import { Check, Hammer, KeyRound, Layers, Plus, Trash2, Users } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Application } from '#contracts/http/applications.ts'
import { PAGES } from '#contracts/pages.ts'
import { PLATFORMS, wordOf } from '#domain/vocabulary.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { setCurrentApplication, useApplications } from '#src/shared/session/application-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Avatar } from '#src/shared/ui/avatar.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { remove } from './application-flows.ts'
import { applicationTexts } from './application-texts.ts'
import { MembersDialog } from './members-dialog.tsx'

/** Comes with the list, not with the shell. */
const AppDownload = lazy(() => import('./app-download.tsx'))

/** The slide-in application list: choose, and by role add, delete, manage members, go to scene construction. */
export function ApplicationDrawer({
  isOpen,
  onClose,
  onAdd,
}: {
  isOpen: boolean
  onClose: () => void
  onAdd: () => void
}) {
  const t = useTexts(applicationTexts)
  const navigate = useNavigate()
  const { list, current } = useApplications()
  const [search, setSearch] = useState('')
  const [members, setMembers] = useState<Application | null>(null)
  const mayAdd = useMay('createapp')
  const mayConstruct = useMay('construction')
  const words = search.trim().toLowerCase()
  const shown = (list ?? []).filter((one) => `${one.name} ${one.uuid}`.toLowerCase().includes(words))

  function choose(id: string): void {
    setCurrentApplication(id)
    onClose()
  }

  return (
    <>
      <Drawer
        isOpen={isOpen}
        onClose={onClose}
        title={t('list')}
        side="left"
        width="400px"
        takeFocus
        footer={
          (mayAdd || mayConstruct) && (
            <>
              {mayAdd && (
                <Button icon={Plus} variant="primary" onPress={onAdd}>
                  {t('add')}
                </Button>
              )}
              {mayConstruct && (
                <Button
                  icon={Hammer}
                  onPress={() => {
                    onClose()
                    void navigate(PAGES.construction.path)
                  }}
                >
                  {t('construction')}
                </Button>
              )}
            </>
          )
        }
      >
        {list?.length === 0 ? (
          <EmptyState kind="none" title={t('empty')} />
        ) : (
          <>
            <div className="p-3">
              <TextField label={t('find')} hideLabel placeholder={t('find')} value={search} onChange={setSearch} />
            </div>
            <ul>
              {words === '' && (
                <li>
                  <button
                    type="button"
                    aria-current={current === 'all' ? 'true' : undefined}
                    onClick={() => choose('all')}
                    className="flex w-full items-center gap-3 border-b px-5 py-2.5 text-left hover:bg-hover aria-[current]:bg-selected"
                  >
                    <span className="flex size-6 items-center justify-center text-muted">
                      <Icon of={Layers} />
                    </span>
                    <span className="min-w-0 flex-1">
                      <span className="block font-semibold">{t('all')}</span>
                      <span className="block text-12 text-muted">{t('allNote')}</span>
                    </span>
                    {current === 'all' && <Icon of={Check} className="text-brand-text" />}
                  </button>
                </li>
              )}
              {shown.map((one) => (
                <Row
                  key={one.id}
                  application={one}
                  isCurrent={one.id === current}
                  onChoose={() => choose(one.id)}
                  onMembers={() => setMembers(one)}
                  onKeys={() => {
                    choose(one.id)
                    void navigate(`${PAGES.settings.path}?tab=keys`)
                  }}
                  onRemove={async () => {
                    const next = await remove(one)
                    if (!next) return
                    onClose()
                    await navigate(next)
                  }}
                />
              ))}
            </ul>
            {shown.length === 0 && words !== '' && <EmptyState kind="filtered" title={t('nothing')} />}
          </>
        )}
      </Drawer>
      {members && <MembersDialog application={members} onClose={() => setMembers(null)} />}
    </>
  )
}

function Row({
  application,
  isCurrent,
  onChoose,
  onMembers,
  onKeys,
  onRemove,
}: {
  application: Application
  isCurrent: boolean
  onChoose: () => void
  onMembers: () => void
  onKeys: () => void
  onRemove: () => void
}) {
  const t = useTexts(applicationTexts)
  const language = useLanguage()
  const mayDelete = useMay('createapp') && application.manageable
  const mayKeys = useMay('ingest.keys') && application.manageable
  const mayMembers = useMay('application.members') && application.manageable
  const { name, uuid } = application
  const platform = wordOf(PLATFORMS, application.mime_type)
  return (
    <li className={`group flex items-center border-b pr-3 ${isCurrent ? 'bg-selected' : 'hover:bg-hover'}`}>
      <button
        type="button"
        aria-current={isCurrent ? 'true' : undefined}
        onClick={onChoose}
        className="flex min-w-0 flex-1 items-center gap-3 py-2.5 pl-5 text-left"
      >
        <Avatar name={name} shape="square" size={24} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className="text-clip-line font-semibold">{name}</span>
            {platform && <span className="flex-none text-12 text-muted">{PLATFORMS[platform][language]}</span>}
          </span>
          <code className="text-clip-line block text-12 text-muted">{uuid}</code>
        </span>
        {isCurrent && <Icon of={Check} className="text-brand-text" />}
      </button>
      <Suspense>
        <AppDownload application={application} />
      </Suspense>
      {mayKeys && <IconButton size="small" icon={KeyRound} label={t('keys', { name })} onPress={onKeys} />}
      {mayMembers && <IconButton size="small" icon={Users} label={t('members', { name })} onPress={onMembers} />}
      {mayDelete && <IconButton size="small" icon={Trash2} label={t('remove', { name })} onPress={onRemove} />}
    </li>
  )
}
