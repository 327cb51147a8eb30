import { GROUP_LISTS } from './group-list.ts'
import { GroupListPage } from './group-list-page.tsx'

/** /statistics/app_start: starts by day, version, channel and more. */
export default function StartsPage() {
  return <GroupListPage list={GROUP_LISTS.starts} />
}
