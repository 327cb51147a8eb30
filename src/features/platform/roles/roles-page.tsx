import { roles } from '#contracts/http/roles.ts'
import { PAGES } from '#contracts/pages.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useAuthList, useSession } from '#src/shared/session/session-store.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { copyOf, type RoleDraft } from './role-draft.ts'
import { canGrantAdministrator, RoleEditor } from './role-editor.tsx'
import { rolesTexts } from './roles-texts.ts'

const EMPTY: RoleDraft = { rev: 0, name: '', administrator: false, auth: new Set() }
/** Value of `from` for a new role without any permission. */
const NOTHING = 'none'

/** /platform/roles: `role` in the address opens one, `from` begins a new one with the permissions of another (`none`: without any). */
export default function RolesPage() {
  return (
    <PermittedPage page="roles" permission="user.manage">
      <Roles />
    </PermittedPage>
  )
}

function Roles() {
  const t = useTexts(rolesTexts)
  const language = useLanguage()
  const { params, setParams } = useAddress()
  const held = useAuthList()
  const ownRole = useSession((state) => state.user?.role)
  const answer = useEndpoint(roles)
  const list = answer.data?.data
  if (!list)
    return (
      <div className="flex min-h-full flex-col bg-surface">
        <PageTitle title={PAGES.roles[language]} />
        {answer.error ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : (
          <Skeleton lines={14} height="24px" className="px-5 py-3" />
        )}
      </div>
    )
  const from = params.get('from')
  const template = list.find(({ key }) => key === from)
  const isNew = from === NOTHING || template !== undefined
  const role = isNew ? undefined : (list.find(({ key }) => key === params.get('role')) ?? list[0])
  const start = template
    ? copyOf(
        template,
        t('copyName', { name: template.name[language] }),
        held ?? [],
        canGrantAdministrator(list, ownRole),
      )
    : EMPTY
  return (
    <RoleEditor
      key={role ? role.key : `from ${from}`}
      roles={list}
      role={role}
      start={isNew ? start : undefined}
      onOpen={(key) => setParams({ role: key, from: null })}
      onCopy={(key) => setParams({ role: null, from: key ?? NOTHING, with: key })}
    />
  )
}
