import { CircleCheck, Eye, EyeOff, Lock, Users } from 'lucide-react'
import { useState } from 'react'
import type { Role } from '#contracts/http/roles.ts'
import type { PageGroup } from '#contracts/pages.ts'
import { PERMISSION_GROUPS } from '#contracts/permission-tree.ts'
import { type Authority, PERMISSION_ITEMS } from '#contracts/permissions.ts'
import { type Language, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { permissionName } from './permission-tree.tsx'
import { rolesTexts } from './roles-texts.ts'
import { type GroupOfPages, visiblePages } from './visible-pages.ts'

/** Groups of permissions that act on the pages of a menu group. */
const ACTS_ON: Partial<Record<PageGroup, readonly string[]>> = {
  awareness: ['events'],
  statistics: ['events'],
  assets: ['asset', 'application'],
  reinforcement: ['harden'],
  detection: ['detect'],
  monitoring: ['monitor'],
  protection: ['protection', 'application'],
  platform: ['platform', 'log'],
}

/** What an account with these permissions sees and may do, which permission each hidden page needs, and which accounts a change affects. */
export function RolePreview({
  auth,
  administrator,
  role,
  held,
  isReadOnly,
}: {
  auth: ReadonlySet<string>
  administrator: boolean
  /** The stored role; undefined for a new one. */
  role: Role | undefined
  held: readonly string[]
  isReadOnly: boolean
}) {
  const t = useTexts(rolesTexts)
  const language = useLanguage()
  const groups = visiblePages([...auth])
  const shown = groups.filter(({ pages }) => pages.length > 0)
  const hidden = groups.filter((group) => group.hidden.length > 0)
  const pages = shown.reduce((sum, group) => sum + group.pages.length, 0)
  const lacking = PERMISSION_GROUPS.flatMap(({ items }) => items).filter((code) => !held.includes(code)).length
  return (
    <aside aria-label={t('menu')} className="min-h-0 overflow-y-auto border-l max-lg:border-t max-lg:border-l-0">
      <Part title={t('menu')}>
        {shown.length === 0 ? (
          <p className="text-12 text-muted">{t('menuEmpty')}</p>
        ) : (
          <MiniConsole groups={shown} auth={auth} />
        )}
      </Part>
      <Part title={t('visible', { groups: shown.length, pages })}>
        <dl className="grid grid-cols-[64px_1fr] gap-y-1.5">
          {shown.map((group) => (
            <Line key={group.group} name={group[language]}>
              {join(
                group.pages.map((page) => page[language]),
                language,
              )}
            </Line>
          ))}
        </dl>
      </Part>
      {hidden.length > 0 && (
        <Part title={t('hidden')}>
          <dl className="grid grid-cols-[64px_1fr] gap-y-1.5">
            {hidden.map((group) => (
              <Line key={group.group} name={group[language]}>
                <Hidden group={group} />
              </Line>
            ))}
          </dl>
        </Part>
      )}
      <Part title={t(isReadOnly ? 'nowInUse' : 'afterSaving')}>
        <ul className="space-y-1.5">
          <Fact icon={Users}>
            {role && role.users > 0
              ? t('affects', { count: role.users, open: role.signed_in_total })
              : t('affectsNone')}
          </Fact>
          {role && role.signed_in.length > 0 && (
            <Fact icon={CircleCheck}>{t('signedIn', { names: join(role.signed_in, language) })}</Fact>
          )}
          <Fact icon={administrator ? Eye : EyeOff}>{t(administrator ? 'seesAll' : 'seesOwn')}</Fact>
          {!isReadOnly && lacking > 0 && <Fact icon={Lock}>{t('cannotGrant', { count: lacking })}</Fact>}
        </ul>
      </Part>
    </aside>
  )
}

/** The console in small: groups above, pages at the left, what may be done there at the right. */
function MiniConsole({ groups, auth }: { groups: readonly GroupOfPages[]; auth: ReadonlySet<string> }) {
  const t = useTexts(rolesTexts)
  const language = useLanguage()
  const [chosen, setChosen] = useState<PageGroup>()
  const open =
    groups.find(({ group }) => group === chosen) ??
    (groups.find(({ group }) => group !== 'start') as GroupOfPages) ??
    groups[0]
  const items = PERMISSION_GROUPS.filter(({ key }) => ACTS_ON[open.group]?.includes(key)).flatMap((one) =>
    one.items.filter((code): code is keyof typeof PERMISSION_ITEMS => code in PERMISSION_ITEMS),
  )
  const names = (codes: readonly Authority[]) =>
    join(
      codes.map((code) => permissionName(code)[language]),
      language,
    )
  const may = items.filter((code) => auth.has(code))
  const mayNot = items.filter((code) => !auth.has(code))
  return (
    <div className="overflow-hidden rounded border text-12">
      <div className="flex flex-wrap gap-x-3 border-b px-3">
        {groups.map((group) => (
          <button
            key={group.group}
            type="button"
            aria-pressed={group === open}
            onClick={() => setChosen(group.group)}
            className="h-7 border-b-2 border-transparent text-muted hover:text-text aria-pressed:border-brand-fill aria-pressed:font-semibold aria-pressed:text-brand-text"
          >
            {group[language]}
          </button>
        ))}
      </div>
      <div className="grid min-h-24 grid-cols-[120px_1fr]">
        <ul className="border-r bg-canvas py-1">
          {open.pages.map((page) => (
            <li key={page.path} className="text-clip-line px-3 py-0.5">
              {page[language]}
            </li>
          ))}
        </ul>
        <dl className="space-y-1.5 px-3 py-2">
          {may.length > 0 && (
            <div>
              <dt className="text-muted">{t('may')}</dt>
              <dd>{names(may)}</dd>
            </div>
          )}
          {mayNot.length > 0 && (
            <div>
              <dt className="text-muted">{t('mayNot')}</dt>
              <dd className="text-muted">{names(mayNot)}</dd>
            </div>
          )}
          {items.length === 0 && <dd className="text-muted">{t('nothing')}</dd>}
        </dl>
      </div>
    </div>
  )
}

function Hidden({ group }: { group: GroupOfPages }) {
  const t = useTexts(rolesTexts)
  const language = useLanguage()
  const [first = '', ...more] = group.missing
  const codes = more.length === 0 ? first : t('oneOf', { first, count: more.length + (language === 'zh' ? 1 : 0) })
  if (group.pages.length === 0) return t('hiddenWhole', { codes })
  return t('hiddenSome', {
    pages: join(
      group.hidden.map((page) => page[language]),
      language,
    ),
    codes,
  })
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="border-b px-5 py-4 last:border-b-0 max-lg:px-4">
      <h2 className="mb-2 font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function Line({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-12/5 text-muted">{name}</dt>
      <dd className="text-12/5">{children}</dd>
    </>
  )
}

function Fact({ icon, children }: { icon: IconType; children: React.ReactNode }) {
  return (
    <li className="flex items-start gap-2 text-12/5">
      <Icon of={icon} size={14} className="mt-0.5 text-muted" />
      <span className="min-w-0 break-words">{children}</span>
    </li>
  )
}

function join(names: readonly string[], language: Language): string {
  return names.join(language === 'zh' ? '、' : ', ')
}
