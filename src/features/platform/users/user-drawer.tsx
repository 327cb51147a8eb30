import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import {
  CUSTOMER_TYPES,
  type CustomerType,
  changeUser,
  createUser,
  deleteUsers,
  disableUsers,
  endUserSession,
  resetUser,
  type User,
  userSessions,
  users,
} from '#contracts/http/users.ts'
import { nextDay, startOfDay } from '#domain/time-range.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { usersTexts } from './users-texts.ts'

type Role = { key: string; zh: string; en: string; grantable: boolean }
type Form = {
  username: string
  password: string
  role: string
  type: CustomerType
  quota: string
  date: string
  remarks: string
}

/** One account: what it is, its sessions, and what can be done to it. Without `user` the form of a new one. */
export function UserDrawer({
  user,
  roles,
  onClose,
}: {
  user: User | null
  roles: readonly Role[]
  onClose: () => void
}) {
  const t = useTexts(usersTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const [form, setForm] = useState<Form>(() => formOf(user, zone))
  const [secret, setSecret] = useState<{ name: string; password: string } | null>(null)
  const set =
    <K extends keyof Form>(name: K) =>
    (value: Form[K]) =>
      setForm((before) => ({ ...before, [name]: value }))
  const create = useAction(createUser, {
    refreshes: [users],
    onSuccess: ({ data, password }) => {
      toast.success(t('createdMessage'))
      if (password) setSecret({ name: data.username, password })
      else onClose()
    },
  })
  const change = useAction(changeUser, { refreshes: [users], onSuccess: () => void toast.success(t('saved')) })
  const reset = useAction(resetUser, {
    refreshes: [users, userSessions],
    onSuccess: ({ password }) => user && setSecret({ name: user.username, password }),
  })
  const readOnly = user !== null && !user.manageable
  const quotaOk = form.quota === '' || (/^\d{1,5}$/.test(form.quota) && Number(form.quota) <= 10_000)
  const fields = {
    role: form.role,
    customer_type: form.type,
    remarks: form.remarks,
    application_quota: form.quota === '' ? null : Number(form.quota),
    expires_at: endOfDate(form.date, zone),
  }
  const isChanged = user === null || JSON.stringify(form) !== JSON.stringify(formOf(user, zone))
  const submit = () => {
    if (user) change.mutate({ body: { id: user.id, ...fields } })
    else create.mutate({ body: { username: form.username, password: form.password, ...fields } })
  }
  const askReset = async () => {
    if (!user) return
    const question = { title: t('resetTitle', { name: user.username }), text: t('resetText'), action: t('reset') }
    if (await confirm(question)) reset.mutate({ body: { id: user.id } })
  }
  if (secret)
    return (
      <Dialog
        title={t('newPassword', { name: secret.name })}
        isOpen
        onOpenChange={onClose}
        isDismissable={false}
        footer={
          <Button variant="primary" onPress={onClose}>
            {t('done')}
          </Button>
        }
      >
        <p className="mb-3 rounded bg-warn-soft px-3 py-2 text-warn-text">{t('once')}</p>
        <div className="flex items-center rounded border bg-code px-3 py-1.5 font-mono" data-testid="new-password">
          <CopyText value={secret.password} />
        </div>
      </Dialog>
    )
  return (
    <Drawer
      isOpen
      onClose={onClose}
      takeFocus
      width="456px"
      title={user?.username ?? t('create')}
      footer={
        <span className="ml-auto flex gap-2">
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button
            variant="primary"
            isDisabled={readOnly || !isChanged || !quotaOk || create.isPending || change.isPending}
            onPress={submit}
          >
            {t(user ? 'save' : 'createAction')}
          </Button>
        </span>
      }
    >
      <form
        className="space-y-4 px-5 py-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!readOnly && quotaOk) submit()
        }}
      >
        {readOnly && (
          <p className="rounded bg-canvas px-3 py-2 text-muted">{t(user.super ? 'superNote' : 'notManageable')}</p>
        )}
        {user === null && (
          <>
            <TextField
              label={t('username')}
              value={form.username}
              onChange={set('username')}
              maxLength={256}
              isRequired
              autoFocus
              autoComplete="off"
            />
            <TextField
              label={t('password')}
              value={form.password}
              onChange={set('password')}
              type="password"
              maxLength={64}
              note={t('passwordNote')}
              autoComplete="new-password"
            />
          </>
        )}
        <div className="grid grid-cols-2 gap-4">
          <Select
            label={t('role')}
            value={form.role}
            onChange={set('role')}
            isDisabled={readOnly}
            items={roles
              .filter(({ key, grantable }) => grantable || key === form.role)
              .map((one) => ({ id: one.key, label: one[language] }))}
          />
          <Select
            label={t('type')}
            value={form.type}
            onChange={set('type')}
            isDisabled={readOnly}
            items={(Object.keys(CUSTOMER_TYPES) as CustomerType[]).map((id) => ({
              id,
              label: CUSTOMER_TYPES[id][language],
            }))}
          />
          <TextField
            label={t('quota')}
            value={form.quota}
            onChange={set('quota')}
            isReadOnly={readOnly}
            maxLength={5}
            note={t('quotaNote', { count: user?.applications ?? 0 })}
            error={quotaOk ? undefined : t('quotaError')}
          />
          <TextField
            label={t('expires')}
            value={form.date}
            onChange={set('date')}
            type="date"
            isReadOnly={readOnly}
            note={t('expiresNote')}
          />
        </div>
        <TextField
          label={t('remarks')}
          value={form.remarks}
          onChange={set('remarks')}
          rows={3}
          maxLength={500}
          isReadOnly={readOnly}
        />
        <button type="submit" hidden />
      </form>
      {user && (
        <>
          <Sessions user={user} />
          <dl className="grid grid-cols-[96px_1fr] gap-y-1 border-t px-5 py-4">
            <dt className="text-muted">{t('creator')}</dt>
            <dd>{user.creator ?? t('byInstallation')}</dd>
            <dt className="text-muted">{t('created')}</dt>
            <dd>{formatDateTime(user.created_at, zone)}</dd>
          </dl>
          {!readOnly && (
            <div className="flex gap-2 border-t px-5 py-4">
              <Button icon={KeyRound} onPress={() => void askReset()}>
                {t('reset')}
              </Button>
              <UserVerbs chosen={[user]} onDone={onClose} />
            </div>
          )}
        </>
      )}
    </Drawer>
  )
}

/** Disable or enable, and delete, for one account or many. */
export function UserVerbs({ chosen, onDone }: { chosen: readonly User[]; onDone: () => void }) {
  const t = useTexts(usersTexts)
  const ids = chosen.map(({ id }) => id)
  const disabled = chosen.every(({ state }) => state === 'disabled')
  const disable = useAction(disableUsers, {
    refreshes: [users, userSessions],
    onSuccess: () => {
      toast.success(t('saved'))
      onDone()
    },
  })
  const remove = useAction(deleteUsers, {
    refreshes: [users],
    onSuccess: () => {
      toast.success(t('deleted'))
      onDone()
    },
  })
  const askDisable = async () => {
    const question = {
      title: t('disableTitle', { count: ids.length }),
      text: t('disableText'),
      action: t('disable'),
      danger: true,
    }
    if (disabled || (await confirm(question))) disable.mutate({ body: { ids, disabled: !disabled } })
  }
  const askDelete = async () => {
    const applications = chosen.reduce((sum, one) => sum + one.applications, 0)
    const question = {
      title: t('deleteTitle', { count: ids.length }),
      text: t('deleteText', { applications }),
      action: t('delete'),
      danger: true,
    }
    if (await confirm(question)) remove.mutate({ body: { ids } })
    else toast.info(t('notDeleted'))
  }
  return (
    <>
      <Button isDisabled={disable.isPending} onPress={() => void askDisable()}>
        {t(disabled ? 'enable' : 'disable')}
      </Button>
      <Button variant="danger" isDisabled={remove.isPending} onPress={() => void askDelete()}>
        {t('delete')}…
      </Button>
    </>
  )
}

function Sessions({ user }: { user: User }) {
  const t = useTexts(usersTexts)
  const answer = useEndpoint(userSessions, { query: { id: user.id } })
  const end = useAction(endUserSession, { refreshes: [userSessions] })
  const { data, error } = answer
  return (
    <section className="border-t px-5 py-4">
      <h3 className="mb-2 font-semibold">{t('sessions')}</h3>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void answer.refetch()} />
      ) : !data ? (
        <Skeleton lines={3} height="20px" />
      ) : data.data.length === 0 ? (
        <p className="text-muted">{t('noSessions')}</p>
      ) : (
        <ul className="space-y-2">
          {data.data.slice(0, 5).map((one) => (
            <li key={one.label} className="flex items-center gap-3">
              <span className="min-w-0 flex-1">
                <span className="block truncate">{one.agent || one.address}</span>
                <span className="block text-12 text-muted">
                  {one.address} · <RelativeTime at={one.last_input_at} /> ·{' '}
                  {one.ended_at === null ? t('signedIn') : t('ended', { reason: one.end_reason ?? '' })}
                </span>
              </span>
              {one.ended_at === null && !user.super && (
                <Button size="small" variant="quiet" onPress={() => end.mutate({ body: { id: user.id } })}>
                  {t('end')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function formOf(user: User | null, zone: string): Form {
  return {
    username: user?.username ?? '',
    password: '',
    role: user?.role ?? 'operator',
    type: user?.customer_type ?? 'standard',
    quota: user?.application_quota === null || !user ? '' : String(user.application_quota),
    date: user?.expires_at ? formatDateTime(user.expires_at, zone, 'day').replaceAll('/', '-') : '',
    remarks: user?.remarks ?? '',
  }
}

/** The last millisecond of a date field (YYYY-MM-DD) in the zone; null for an empty one. */
function endOfDate(date: string, zone: string): number | null {
  const noon = Date.parse(`${date}T12:00:00Z`)
  return Number.isNaN(noon) ? null : nextDay(startOfDay(noon, zone), zone) - 1
}
