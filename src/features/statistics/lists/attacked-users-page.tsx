import { EntityPage } from '#src/features/statistics/parts/entity-page.tsx'

/** /statistics/user_num: users with an attack, or all, or the new ones. */
export default function AttackedUsersPage() {
  return <EntityPage page="attacked_users" />
}
