import { KeyRound, Link2 } from 'lucide-react'
import { useState } from 'react'
import { resetSecondFactor } from '#contracts/http/second-factor.ts'
import {
  ACCOUNT_ORIGINS,
  CUSTOMER_TYPES,
  type CustomerType,
  changeUser,
  createUser,
  inviteUser,
  resetUser,
  type User,
  userSessions,
  users,
} from '#contracts/http/users.ts'
import { PAGES } from '#contracts/pages.ts'
import { nextDay } from '#domain/time-range.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { startOfDate } from '#src/shared/query/range-text.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { FIELD_LABEL, FIELD_NOTE } from '#src/shared/ui/field.ts'
import { SecretDialog } from '#src/shared/ui/secret-dialog.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { UserSessions } from './user-sessions.tsx'
import { UserVerbs } from './user-verbs.tsx'
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
  const [byLink, setByLink] = useState(true)
  const [secret, setSecret] = useState<{ title: string; note: string; value: string } | null>(null)
  const set =
    <K extends keyof Form>(name: K) =>
    (value: Form[K]) =>
      setForm((before) => ({ ...before, [name]: value }))
  const showPassword = (name: string, value: string) =>
    setSecret({ title: t('newPassword', { name }), note: t('once'), value })
  const showLink = (name: string, { token, expires_at }: { token: string; expires_at: number }) =>
    setSecret({
      title: t('newLink', { name }),
      note: t('linkOnce', { until: formatDateTime(expires_at, zone, 'minute') }),
      value: `${location.origin}${PAGES.login.path}#invitation=${token}`,
    })
  const create = useAction(createUser, {
    refreshes: [users],
    onSuccess: ({ data, password, invitation }) => {
      toast.success(t('createdMessage'))
      if (invitation) showLink(data.username, invitation)
      else if (password) showPassword(data.username, password)
      else onClose()
    },
  })
  const change = useAction(changeUser, { refreshes: [users], onSuccess: () => void toast.success(t('saved')) })
  const reset = useAction(resetUser, {
    refreshes: [users, userSessions],
    onSuccess: ({ password }) => user && showPassword(user.username, password),
  })
  const dropSecond = useAction(resetSecondFactor, {
    refreshes: [users, userSessions],
    onSuccess: () => void toast.success(t('dropSecondDone')),
  })
  const askDropSecond = async () => {
    if (!user) return
    const question = {
      title: t('dropSecondTitle', { name: user.username }),
      text: t('dropSecondText'),
      action: t('dropSecond'),
    }
    if (await confirm(question)) dropSecond.mutate({ body: { id: user.id } })
  }
  const invite = useAction(inviteUser, {
    refreshes: [users],
    onSuccess: ({ data }) => user && showLink(user.username, data),
  })
  const isExternal = user !== null && user.origin !== 'local'
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
    else
      create.mutate({
        body: { username: form.username, invite: byLink, password: byLink ? '' : form.password, ...fields },
      })
  }
  const askReset = async () => {
    if (!user) return
    const question = { title: t('resetTitle', { name: user.username }), text: t('resetText'), action: t('reset') }
    if (await confirm(question)) reset.mutate({ body: { id: user.id } })
  }
  if (secret) return <SecretDialog {...secret} onClose={onClose} />
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
        {user && isExternal && (
          <p className="rounded bg-canvas px-3 py-2 text-muted">
            {t('externalNote', { origin: ACCOUNT_ORIGINS[user.origin][language] })}
          </p>
        )}
        {user?.state === 'invited' && (
          <p className="rounded bg-canvas px-3 py-2 text-muted">
            {user.invited_until !== null && user.invited_until > Date.now()
              ? t('linkUntil', { until: formatDateTime(user.invited_until, zone, 'minute') })
              : t('linkOver')}
          </p>
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
            <div>
              <span className={FIELD_LABEL}>{t('way')}</span>
              <SegmentedControl
                label={t('way')}
                items={[
                  { id: 'link', label: t('byLink') },
                  { id: 'password', label: t('byPassword') },
                ]}
                value={byLink ? 'link' : 'password'}
                onChange={(id) => setByLink(id === 'link')}
              />
              {byLink && <span className={FIELD_NOTE}>{t('linkNote')}</span>}
            </div>
            {!byLink && (
              <TextField
                label={t('password')}
                value={form.password}
                onChange={set('password')}
                type="password"
                maxLength={64}
                note={t('passwordNote')}
                autoComplete="new-password"
              />
            )}
          </>
        )}
        <div className="grid grid-cols-2 gap-4">
          <Select
            label={t('role')}
            value={form.role}
            onChange={set('role')}
            isDisabled={readOnly || isExternal}
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
            note={user ? t('quotaNote', { count: user.applications }) : t('quotaEmpty')}
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
          <UserSessions user={user} />
          <dl className="grid grid-cols-[96px_1fr] gap-y-1 border-t px-5 py-4">
            <dt className="text-muted">{t('origin')}</dt>
            <dd>{ACCOUNT_ORIGINS[user.origin][language]}</dd>
            {!isExternal && (
              <>
                <dt className="text-muted">{t('creator')}</dt>
                <dd>{user.creator ?? t('byInstallation')}</dd>
              </>
            )}
            <dt className="text-muted">{t('created')}</dt>
            <dd>{formatDateTime(user.created_at, zone)}</dd>
          </dl>
          {!readOnly && (
            <div className="flex flex-wrap gap-2 border-t px-5 py-4">
              {user.state === 'invited' ? (
                <Button
                  icon={Link2}
                  isDisabled={invite.isPending}
                  onPress={() => invite.mutate({ body: { id: user.id } })}
                >
                  {t('inviteAgain')}
                </Button>
              ) : (
                !isExternal && (
                  <Button icon={KeyRound} onPress={() => void askReset()}>
                    {t('reset')}
                  </Button>
                )
              )}
              {user.second_factor && <Button onPress={() => void askDropSecond()}>{t('dropSecond')}</Button>}
              <UserVerbs spread chosen={[user]} onDone={onClose} />
            </div>
          )}
        </>
      )}
    </Drawer>
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
  const start = startOfDate(date, zone)
  return start === null ? null : nextDay(start, zone) - 1
}
