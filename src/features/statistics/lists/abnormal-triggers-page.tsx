import { GROUP_LISTS } from './group-list.ts'
import { GroupListPage } from './group-list-page.tsx'

/** /statistics/app_abnormal: crashes, ANRs, exceptions and environment returns by type, group and more. */
export default function AbnormalTriggersPage() {
  return <GroupListPage list={GROUP_LISTS.abnormal_triggers} />
}
