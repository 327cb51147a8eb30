import { Copy, Save, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { changeRole, createRole, deleteRole, type Role, roles as rolesEndpoint } from '#contracts/http/roles.ts'
import { users } from '#contracts/http/users.ts'
import type { Authority, NO_EMPOWER } from '#contracts/permissions.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useSession } from '#src/shared/session/session-store.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { useUnsavedWarning } from '#src/shared/ui/use-unsaved-warning.ts'
import { PermissionTree } from './permission-tree.tsx'
import { countChanges, draftOf, type RoleDraft } from './role-draft.ts'
import { RoleList } from './role-list.tsx'
import { RolePreview } from './role-preview.tsx'
import { rolesTexts } from './roles-texts.ts'

/** One role beside the list of all: its permissions and what they open. `start`: what a new role begins with. */
export function RoleEditor({
  roles,
  role,
  start,
  onOpen,
  onCopy,
}: {
  roles: readonly Role[]
  /** The stored role; undefined for a new one. */
  role: Role | undefined
  start: RoleDraft | undefined
  onOpen: (key: string | null) => void
  /** Begins a new role with the permissions of this one, or with none. */
  onCopy: (key: string | null) => void
}) {
  const t = useTexts(rolesTexts)
  const language = useLanguage()
  const held = useSession((state) => state.user?.auth_list ?? NONE)
  const ownRole = useSession((state) => state.user?.role)
  const [edited, setEdited] = useState<RoleDraft | undefined>(start)
  const [asked, setAsked] = useState(false)
  const stored = role && draftOf(role, language)
  const draft = edited ?? (stored as RoleDraft)
  const changes = stored ? countChanges(draft, stored) : draft.auth.size
  const isDirty = edited !== undefined && (role === undefined || changes > 0)
  const isReadOnly = role !== undefined && !role.manageable
  const isOutdated = role !== undefined && edited !== undefined && edited.rev !== role.rev
  const refreshes = [rolesEndpoint, users]
  const create = useAction(createRole, {
    refreshes,
    onSuccess: ({ data }) => {
      toast.success(t('saved'))
      onOpen(data.key)
    },
  })
  const change = useAction(changeRole, {
    refreshes,
    onSuccess: () => {
      toast.success(t('saved'))
      setEdited(undefined)
    },
  })
  const remove = useAction(deleteRole, {
    refreshes,
    onSuccess: () => {
      deleted()
      onOpen(null)
    },
  })
  useUnsavedWarning(isDirty)
  const isPending = create.isPending || change.isPending
  const canSave = !isReadOnly && isDirty && !isOutdated && !isPending
  const set = (part: Partial<RoleDraft>) => setEdited({ ...draft, ...part })
  const grant = (codes: readonly string[], granted: boolean) => {
    const auth = new Set(draft.auth)
    for (const code of codes) {
      if (granted) auth.add(code)
      else auth.delete(code)
    }
    set({ auth })
  }
  const submit = () => {
    setAsked(true)
    if (!canSave || !draft.name.trim()) return
    const fields = {
      name: draft.name.trim(),
      administrator: draft.administrator,
      auth: [...draft.auth] as Exclude<Authority, typeof NO_EMPOWER>[],
    }
    if (role) change.mutate({ body: { key: role.key, rev: draft.rev, ...fields } })
    else create.mutate({ body: fields })
  }
  /** Runs the step unless there is something to lose that the person wants to keep. */
  const leave = async (step: () => void) => {
    const question = {
      title: t('leaveTitle'),
      text: t('leaveText', { count: changes }),
      action: t('leave'),
      danger: true,
    }
    if (!isDirty || changes === 0 || (await confirm(question))) step()
  }
  const askDelete = async () => {
    if (!role) return
    const question = {
      title: t('deleteTitle', { name: role.name[language] }),
      text: t('deleteText'),
      action: t('delete'),
    }
    if (await confirmDeletion(question)) remove.mutate({ body: { key: role.key } })
  }
  const copy = () => void leave(() => onCopy(role?.key ?? null))
  useActions([
    { id: 'role.save', label: t('save'), group: t('list'), keys: 'Mod+s', icon: Save, run: submit },
    { id: 'role.create', label: t('create'), group: t('list'), keys: 'c', run: () => void leave(() => onCopy(null)) },
  ])
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface max-lg:h-auto">
      <PageTitle
        title={role ? role.name[language] : t('create')}
        note={
          role === undefined
            ? t('newNote')
            : role.built_in
              ? t('builtInNote')
              : t('createdBy', { name: role.creator ?? '–' })
        }
        actions={
          <>
            {isDirty && role && changes > 0 && (
              <>
                <span className="text-12 text-muted">{t('changes', { count: changes })}</span>
                <Button variant="quiet" icon={Undo2} onPress={() => setEdited(undefined)}>
                  {t('undo')}
                </Button>
              </>
            )}
            {role?.manageable && (
              <Button
                variant="danger"
                icon={Trash2}
                isDisabled={role.users > 0 || remove.isPending}
                {...(role.users > 0 && { title: t('inUse', { count: role.users }) })}
                onPress={() => void askDelete()}
              >
                {t('delete')}…
              </Button>
            )}
            {role && (
              <Button icon={Copy} variant={isReadOnly ? 'primary' : 'plain'} onPress={copy}>
                {t('copy')}
              </Button>
            )}
            {!role && <Button onPress={() => void leave(() => onOpen(null))}>{t('cancel')}</Button>}
            {!isReadOnly && (
              <Button variant="primary" icon={Save} isDisabled={!canSave} onPress={submit}>
                {t('save')}
              </Button>
            )}
          </>
        }
      />
      {isOutdated && (
        <p role="alert" className="mx-5 mb-2 flex flex-wrap items-center gap-3 rounded bg-neutral px-3 py-1.5 text-12">
          {t('conflict')}
          <Button size="small" onPress={() => setEdited(undefined)}>
            {t('reload')}
          </Button>
        </p>
      )}
      <div className="grid min-h-0 flex-1 grid-cols-[232px_minmax(0,1fr)_380px] border-t max-xl:grid-cols-[208px_minmax(0,1fr)_300px] max-lg:grid-cols-1">
        <RoleList
          roles={roles}
          current={role?.key}
          onOpen={(key) => void leave(() => onOpen(key))}
          onCreate={() => void leave(() => onCopy(null))}
        />
        <div className="flex min-h-0 min-w-0 flex-col">
          {isReadOnly ? (
            !role.built_in && (
              <p className="border-b bg-neutral px-5 py-1.5 text-12">
                {t(role.key === ownRole ? 'readOnlyOwn' : 'readOnlyMore')}
              </p>
            )
          ) : (
            <div className="flex flex-none flex-wrap items-end gap-x-5 gap-y-2 border-b px-5 py-3 max-lg:px-4">
              <TextField
                label={t('name')}
                value={draft.name}
                onChange={(name) => set({ name })}
                maxLength={40}
                isRequired
                autoFocus={role === undefined}
                error={asked && !draft.name.trim() ? t('nameEmpty') : undefined}
                className="w-60"
              />
              <span className="pb-1.5">
                <Checkbox
                  isSelected={draft.administrator}
                  isDisabled={!canGrantAdministrator(roles, ownRole)}
                  onChange={(administrator) => set({ administrator })}
                >
                  <span title={t('administratorNote')}>{t('administrator')}</span>
                </Checkbox>
              </span>
            </div>
          )}
          <PermissionTree
            auth={draft.auth}
            held={held}
            roles={roles}
            role={role?.key}
            isReadOnly={isReadOnly}
            onChange={grant}
          />
        </div>
        <RolePreview
          auth={draft.auth}
          administrator={draft.administrator}
          role={role}
          held={held}
          isReadOnly={isReadOnly}
        />
      </div>
    </div>
  )
}

const NONE: readonly string[] = []

/** Only an account that sees all applications can grant the administrator mark. */
export function canGrantAdministrator(roles: readonly Role[], ownRole: string | undefined): boolean {
  return roles.some(({ key, administrator }) => key === ownRole && administrator)
}
