import type { ReactNode } from 'react'
import { PAGES } from '#contracts/pages.ts'
import type { PermissionItem } from '#contracts/permissions.ts'
import { useLanguage } from '../i18n/texts.ts'
import { useMay } from '../session/session-store.ts'
import { ForbiddenState } from '../ui/forbidden-state.tsx'
import { PageTitle } from '../ui/page-title.tsx'

/** A page for those who hold the item; others see its title and which permission they lack. */
export function PermittedPage({
  page,
  permission,
  children,
}: {
  page: keyof typeof PAGES
  permission: PermissionItem
  children: ReactNode
}) {
  const language = useLanguage()
  if (useMay(permission)) return children
  return (
    <>
      <PageTitle title={PAGES[page][language]} />
      <ForbiddenState permission={permission} />
    </>
  )
}
