import { GROUP_LISTS } from './group-list.ts'
import { GroupListPage } from './group-list-page.tsx'

/** /statistics/analyzer_attack: which risks were triggered, how often, by how many. */
export default function RiskTriggersPage() {
  return <GroupListPage list={GROUP_LISTS.risk_triggers} />
}
