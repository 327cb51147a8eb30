import { EntityPage } from './entity-page.tsx'

/** /statistics/user_num: every user with an attack in the range. */
export default function AttackedUsersPage() {
  return <EntityPage entity="user" />
}
